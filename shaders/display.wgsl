@compute @workgroup_size(1)
fn render() {}
@compute @workgroup_size(1)
fn extremes() {}
