//! How people and programs write tables: separators, decimal signs, names in one line or several, units, notes.

use super::*;

/// A column named x.
const fn one(values: &'static [f64]) -> Right {
    right(X, values, None)
}

/// Texts, each with what is right about it.
const DIALECTS: &[(&str, Right)] = &[
    ("x\n1,5\n2,5\n-3,25\n", one(&[1.5, 2.5, -3.25])),
    ("x;y\n1,5;2\n2,5;3\n", right(&["x", "y"], &[1.5, 2.5], None)),
    ("x;y\n1.234,5;2\n2.000,25;3\n", right(&["x", "y"], &[1234.5, 2000.25], None)),
    ("x;y\n1.5;2\n2.5;3\n", right(&["x", "y"], &[1.5, 2.5], None)),
    ("x\ty\n1,5\t2\n2,5\t3\n", right(&["x", "y"], &[1.5, 2.5], None)),
    ("\"x\",\"y\"\n\"1,234.5\",\"2\"\n\"2,000\",\"3\"\n", right(&["x", "y"], &[1234.5, 2000.0], None)),
    ("\"x\",\"y\"\n\"1,5\",\"2\"\n\"2,25\",\"3\"\n", right(&["x", "y"], &[1.5, 2.25], None)),
    ("x;y\n1 234,5;2\n2 000,25;3\n", right(&["x", "y"], &[1234.5, 2000.25], None)),
    ("x;y\n1'234.5;2\n2'000;3\n", right(&["x", "y"], &[1234.5, 2000.0], None)),
    ("x|y\n1|2\n3|4\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("sep=;\nx;y\n1;2\n3;4\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("\"sep=,\"\nx,y\n1,2\n3,4\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("x,y\r1,2\r3,4", right(&["x", "y"], &[1.0, 3.0], None)),
    ("x,y\r\n1,2\r\n3,4\r\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("x,y,\n1,2,\n3,4,\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("x,y\n1,2,\n3,4,\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("My measurement\nof 5 March\n\nx,y\n1,2\n3,4\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("Latitude,45.3\nOperator,Anna\nx,y\n1,2\n3,4\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("x,y\nV,A\n1,2\n3,4\n", right(&["x (V)", "y (A)"], &[1.0, 3.0], None)),
    ("x,y\n(V),(A)\n1,2\n3,4\n", right(&["x (V)", "y (A)"], &[1.0, 3.0], None)),
    ("x [V],y/A\n1,2\n3,4\n", right(&["x (V)", "y (A)"], &[1.0, 3.0], None)),
    ("# made by a logger\nx,y\n1,2\n# pause\n3,4\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("% x,y\n1,2\n3,4\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("Model,MSO\nSample Interval,1e-6,s\n,,\nCH1,CH2,CH3\n1,0.1,0.2\n3,0.2,0.2\n", right(&["CH1", "CH2", "CH3"], &[1.0, 3.0], None)),
    ("'x','y'\n'mV','mV'\n1,2\n3,4\n", right(&["x (mV)", "y (mV)"], &[1.0, 3.0], None)),
    ("#time (s) x\n0.0 1\n0.5 2\n1.0 3\n", right(X, &[1.0, 2.0], Some((AxisUnit::Second, 2.0)))),
    ("x y z\n1 2 3\n4 5 6\n", right(&["x", "y", "z"], &[1.0, 4.0], None)),
    ("x\tname\n1\twalk\n2\trun\n", one(&[1.0, 2.0])),
    (",x\n0,1\n1,3\n2,5\n", one(&[1.0, 3.0])),
    ("Unnamed: 0,x,y\n0,1,2\n1,3,4\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("\"x\" \"y\"\n\"1\" 1 2\n\"2\" 3 4\n\"3\" 5 6\n", right(&["x", "y"], &[1.0, 3.0], None)),
    ("x,y\n−1,2\n−3,4\n", right(&["x", "y"], &[-1.0, -3.0], None)),
    ("x,y\n1.0D+02,2\n3.0D+00,4\n", right(&["x", "y"], &[100.0, 3.0], None)),
    (
        "Price,Close,Open\nTicker,SPY,SPY\nDate,,\n2024-01-01,1,2\n2024-01-02,3,4\n2024-01-03,5,6\n",
        right(&["Close", "Open"], &[1.0, 3.0], Some((AxisUnit::Day, 1.0))),
    ),
    (
        ",A,A,B,B\n,x,y,x,y\n2024-01-01,1,2,3,4\n2024-01-02,3,4,5,6\n2024-01-03,5,6,7,8\n",
        right(&["A x", "A y", "B x", "B y"], &[1.0, 3.0], Some((AxisUnit::Day, 1.0))),
    ),
    (
        "site\tdatetime\tflow\n5s\t20d\t14n\n7\t2024-01-01\t1\n7\t2024-01-02\t3\n7\t2024-01-03\t5\n7\t2024-01-04\t7\n",
        right(&["site", "flow"], &[7.0, 7.0], Some((AxisUnit::Day, 1.0))),
    ),
    ("| t | x |\n|--:|--:|\n| 0.0 | 1 |\n| 0.5 | 3 |\n| 1.0 | 5 |\n", right(X, &[1.0, 3.0], Some((AxisUnit::Second, 2.0)))),
    (
        "Index (C)\n-----------\nYear x  y(5)\n-----------\n1880 1 2\n1881 3 4\n1882 5 6\n",
        right(&["x", "y(5)"], &[1.0, 3.0], Some((AxisUnit::Year, 1.0))),
    ),
    (
        "  Elapsed time   A   B\n  (seconds)  (mV)  (mV)\n 0.0 1 2\n 0.5 3 4\n 1.0 5 6\n",
        right(&["A (mV)", "B (mV)"], &[1.0, 3.0], Some((AxisUnit::Second, 2.0))),
    ),
    (
        " Profile 1\n x [mm]   y [nm]\n0.0  1\n0.5  3\n1.0  5\n",
        right(&["y (nm)"], &[1.0, 3.0], Some((AxisUnit::Length(papillon::signal::PixelUnit::Millimetre), 2.0))),
    ),
    (
        "            a  b\n2021-01-01  1  2\n2021-01-02  3  4\n2021-01-03  5  6\n",
        right(&["a", "b"], &[1.0, 3.0], Some((AxisUnit::Day, 1.0))),
    ),
    ("name,1960,1961,1962\nAruba,1,2,3\nChad,3,4,4\nPeru,7,5,9\n", right(&["1960", "1961", "1962"], &[1.0, 3.0], None)),
    ("X\tA\tNote\n0.0\t1\t\n0.5\t3\t\n1.0\t5\t\n1.5\t5\t\n2.0\t5\t\n", right(&["A"], &[1.0, 3.0], Some((AxisUnit::Index, 2.0)))),
    ("t,load,on\n0,12.5%,True\n1,7%,False\n", right(&["load (%)", "on"], &[12.5, 7.0], Some((AxisUnit::Second, 1.0)))),
    ("day,price\n2021-01-01,$1.50\n2021-01-02,$2.50\n", right(&["price ($)"], &[1.5, 2.5], Some((AxisUnit::Day, 1.0)))),
    ("Time,T\n2024-01-01 00:00:00,20.5 °C\n2024-01-01 01:00:00,21.5 °C\n", right(&["T (°C)"], &[20.5, 21.5], Some((AxisUnit::Hour, 1.0)))),
    ("t,0.5m,1.0m\n0,1,2\n1,3,4\n2,5,6\n", right(&["0.5m", "1.0m"], &[1.0, 3.0], Some((AxisUnit::Second, 1.0)))),
    ("t,note,x\n0,\"two\nlines\",1\n1,,3\n2,,5\n", right(X, &[1.0, 3.0], Some((AxisUnit::Second, 1.0)))),
    ("\"t\n(s)\",x\n0,1\n1,3\n2,5\n", right(X, &[1.0, 3.0], Some((AxisUnit::Second, 1.0)))),
    (
        "date,A,B\nTS,Volts,Deg C\n,Avg,Avg\n2021-01-01,1,2\n2021-01-02,3,4\n2021-01-03,5,6\n",
        right(&["A (Volts)", "B (Deg C)"], &[1.0, 3.0], Some((AxisUnit::Day, 1.0))),
    ),
    ("t (ms);x\n500;1,5\n750;2,5\n1.000;3,5\n1.250;4,5\n", right(X, &[1.5, 2.5], Some((AxisUnit::Second, 4.0)))),
    (
        "#YY MM DD hh WSPD\n#yr mo dy hr m/s\n2021 01 31 22 1\n2021 01 31 23 3\n2021 02 01 00 5\n",
        right(&["WSPD (m/s)"], &[1.0, 3.0], Some((AxisUnit::Hour, 1.0))),
    ),
    ("resistance,impedance\n1,2\n3,4\n", right(&["resistance", "impedance"], &[1.0, 3.0], None)),
    ("\"Month\",\"1958\",\"1959\"\n\"JAN\",340,360\n\"FEB\",318,342\n", right(&["1958", "1959"], &[340.0, 318.0], None)),
];

#[test]
fn dialects_are_read() {
    for (text, expected) in DIALECTS {
        check(text.as_bytes(), expected);
    }
}
