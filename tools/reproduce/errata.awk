# SPDX-License-Identifier: MIT
#
# Misprints of the papers, checked by numbers: lines "errata.quantity value" for pages/errata.md.
# Formulas with time derivatives are compared with central differences of what they are the derivative of, along a smooth
# motion of the bars of P3 that has no other meaning; relative errors of the printed and of the corrected form.
function put(name, value) { printf "errata.%s %.10g\n", name, value }
function abs(x) { return x < 0 ? -x : x }

# The motion, and P3's quantities by their definitions; rates of position: 1 X2, 2 Y2, 3 θ2, 4 X3, 5 Y3, 6 θ3.
function place(t) {
    X2 = 0.35 + 0.1 * sin(3 * t); Y2 = 0.26 + 0.07 * cos(2 * t); T2 = 1 + 0.5 * sin(5 * t)
    X3 = 0.65 + 0.05 * cos(4 * t); Y3 = 0.26 + 0.09 * sin(t); T3 = -1 + 0.4 * cos(3 * t)
    V[1] = 0.3 * cos(3 * t); V[2] = -0.14 * sin(2 * t); V[3] = 2.5 * cos(5 * t)
    V[4] = -0.2 * sin(4 * t); V[5] = 0.09 * cos(t); V[6] = -1.2 * sin(3 * t)
    D12 = (X2 - l2 * cos(T2) - 2 * l1 * cos(w * t)) / r
    D22 = (Y2 - l2 * sin(T2) - 2 * l1 * sin(w * t)) / r
    D32 = (D12 * sin(T2) - D22 * cos(T2)) * l2
    C12 = -2 * l1 * w * (D12 * sin(w * t) - D22 * cos(w * t))
    D13 = (X3 - l3 * cos(T3) - X2 - l2 * cos(T2)) / r
    D23 = (Y3 - l3 * sin(T3) - Y2 - l2 * sin(T2)) / r
    D33 = (D13 * sin(T2) - D23 * cos(T2)) * l2
    D43 = (D13 * sin(T3) - D23 * cos(T3)) * l3
    B46 = -l3 * cos(T3)
    # Half the squares of the distances, over r: their rates are D · rates, which gives rows of [B].
    G2 = r / 2 * (D12 * D12 + D22 * D22); G3 = r / 2 * (D13 * D13 + D23 * D23)
    P4Y = -(Y3 + l3 * sin(T3))
}
function get(name) {
    Q["D12"] = D12; Q["D22"] = D22; Q["D32"] = D32; Q["C12"] = C12; Q["D13"] = D13; Q["D23"] = D23; Q["D33"] = D33
    Q["D43"] = D43; Q["B46"] = B46; Q["G2"] = G2; Q["G3"] = G3; Q["P4Y"] = P4Y
    return Q[name]
}
function rate(name, t,    up, down) {
    place(t + h); up = get(name); place(t - h); down = get(name); place(t)
    return (up - down) / (2 * h)
}
# Compares a formula's value with the exact one; the largest error over the instants is kept.
function compare(name, value, exact) {
    e = abs(value - exact) / scale
    if (e > worst[name]) worst[name] = e
}

BEGIN {
    pi = atan2(0, -1)
    # P0 eq. 24 at e = (1, 0, 0, 0): no rotation, so that A must be the unit matrix.
    put("p0-24.printed", 1 + 0 - 0.5); put("p0-24.corrected", 2 * (1 + 0 - 0.5))

    # P0 table 1: solid cylinders. Radius from the moment about the axis, then the moment across it.
    # Coupler and rocker: about m r²/2, across m (3 r² + L²)/12; crank: a disc of the crank's length as radius.
    split("0.1416 0.122 3.51e-5 1.7743e-3", c, " "); split("0.0316 0.074 2.9e-6 1.456e-4", k, " ")
    for (f = 1; f <= 10; f += 9) {
        name = f == 1 ? "printed" : "tenth"
        r = sqrt(2 * c[3] / f / c[1]); put("p0-coupler." name, c[1] * (3 * r * r + c[2] * c[2]) / 12 / (c[4] / f))
        put("p0-coupler-radius." name, r)
        r = sqrt(2 * k[3] / f / k[1]); put("p0-rocker." name, k[1] * (3 * r * r + k[2] * k[2]) / 12 / (k[4] / f))
        put("p0-rocker-radius." name, r)
        put("p0-crank-radius." name, sqrt(2 * 3.92e-5 / f / 0.0196))
    }
    put("p0-coupler.limit", c[4] / (c[1] * c[2] * c[2] / 4)); put("p0-rocker.limit", k[4] / (k[1] * k[2] * k[2] / 4))

    # K with both radii positive in R_i R_j/(R_i + R_j), against one negative.
    put("stiffness.ratio", sqrt(1 / (10 - 9.5)) / sqrt(1 / (10 + 9.5)))
    # P2 eq. 4: the distance of the contact points is the penetration, 4.5 µm at 0.05 mm and 5000 rpm (row P2-20). Rod against slider: the rod turns at most at ω r/l.
    turn = 5000 * pi / 30 * 0.05 / 0.12
    put("p2-4.printed", 4.5e-6 * turn); put("p2-4.corrected", 10e-3 * turn)
    # P4 eq. 14: a journal that turns in place by Δω in following contact; n stands still.
    put("p4-14.printed", 0); put("p4-14.corrected", 9.5e-3 * turn)

    # P4 eqs. 33, 34: the pressure with R² over the journal gives the force of eq. 34.
    eps = 0.6; sum = 0; n = 20000
    for (i = 0; i < n; i++) {
        x = 2 * pi * (i + 0.5) / n
        sum += 6 * cos(x) * (2 - eps * cos(x)) / (1 - eps * cos(x)) ^ 2 * cos(x) * 2 * pi / n
    }
    put("p4-33.ratio", sum / (12 * pi / (1 - eps * eps) ^ 1.5))

    # P3
    l1 = 0.1; l2 = 0.28; l3 = 0.3; w = 10; r = 0.02; h = 1e-5
    for (i = 1; i <= 20; i++) {
        t = i * 0.037
        place(t); scale = 100
        exact = rate("D12", t)
        compare("p3-31.printed", (V[1] - l2 * V[3] * sin(T2) + 2 * l1 * w * sin(w * t)) / r, exact)
        compare("p3-31.corrected", d12 = (V[1] + l2 * V[3] * sin(T2) + 2 * l1 * w * sin(w * t)) / r, exact)
        exact = rate("D22", t)
        compare("p3-32.printed", d22 = (V[2] - l2 * V[3] * cos(T2) - 2 * l1 * w * cos(w * t)) / r, exact)
        exact = rate("D32", t); scale = 100 * l2
        compare("p3-33.printed", (d12 * sin(T2) - d22 * cos(T2) + (D12 * cos(T2) - D22 * sin(T2)) * V[3]) * l2, exact)
        compare("p3-33.corrected", (d12 * sin(T2) - d22 * cos(T2) + (D12 * cos(T2) + D22 * sin(T2)) * V[3]) * l2, exact)
        exact = rate("C12", t); scale = 200 * l1 * w
        compare("p3-34.printed", -2 * l1 * w * (d12 * sin(w * t) - d22 * cos(w * t) + (D12 * cos(w * t) - D22 * sin(w * t)) * w), exact)
        compare("p3-34.corrected", -2 * l1 * w * (d12 * sin(w * t) - d22 * cos(w * t) + (D12 * cos(w * t) + D22 * sin(w * t)) * w), exact)
        exact = rate("D13", t); scale = 100
        compare("p3-35.printed", d13 = (V[4] + l3 * V[6] * sin(T3) - V[1] + l2 * V[3] * sin(T2)) / r, exact)
        exact = rate("D23", t)
        compare("p3-36.printed", d23 = (V[5] - l3 * V[6] * cos(T3) - V[2] - l2 * V[3] * cos(T2)) / r, exact)
        exact = rate("D33", t); scale = 100 * l2
        compare("p3-37.printed", (d13 * sin(T2) - d23 * cos(T2) + V[3] * (D13 * cos(T2) + D23 * sin(T2))) * l2, exact)
        exact = rate("D43", t)
        compare("p3-38.printed", (d13 * sin(T3) - d23 * cos(T3) + V[6] * (D13 * cos(T3) + D23 * sin(T3))) * l3, exact)
        # Rows of [B]: the rates of half the squared distances (eqs. 27, 29), and of the pivot O4 (eq. 39).
        exact = rate("G2", t); scale = 10
        compare("p3-27.printed", D12 * V[1] + D22 * V[2] + D32 * V[3] - C12, exact)
        exact = rate("G3", t)
        compare("p3-29.printed", D13 * (V[4] - V[1]) + D23 * (V[5] - V[2]) + D33 * V[3] + D43 * V[6], exact)
        exact = rate("P4Y", t); scale = 1
        compare("p3-39.printed", -V[5] - l3 * sin(T3) * V[6], exact)
        compare("p3-39.corrected", -V[5] - l3 * cos(T3) * V[6], exact)
        exact = rate("B46", t)
        compare("p3-40.printed", -l3 * V[6] * sin(T3), exact)
        compare("p3-40.corrected", l3 * V[6] * sin(T3), exact)
    }
    # Eq. 28 at the start given: the direction of the play at O3 must be a unit vector.
    x = (0.65 - l3 * cos(-pi / 3) - 0.35 - l2 * cos(pi / 3)) / r
    put("p3-28.printed", sqrt(x * x + ((0 - l3 * sin(-pi / 3) - l2 * cos(pi / 3)) / r) ^ 2))
    put("p3-28.corrected", sqrt(x * x + ((0 - l3 * sin(-pi / 3) - l2 * sin(pi / 3)) / r) ^ 2))
    for (name in worst) put(name, worst[name])
}
