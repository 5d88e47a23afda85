//! The program: the window, or a command without one.

#[global_allocator]
static HEAP: papillon::heap::Heap = papillon::heap::Heap;

fn main() {
    papillon::cli::run()
}
