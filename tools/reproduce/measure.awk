# SPDX-License-Identifier: MIT
#
# Numbers of one run: rows of `lash export` → lines "CASE.quantity value".
#   awk -F, -f measure.awk -v case=NAME -v take="MEASURE;MEASURE" [-v against=ROWS.csv] ROWS.csv
# The header holds names without units. For every channel over the rows given: max, min, maxabs, rms; with `against` (the
# same instants of another run) the largest and the rms difference, dev and devrms. Measures on request:
#   top CHANNEL T0 T1           its largest value between these times: CHANNEL.top.T0-T1
#   low CHANNEL T0 T1           its smallest value between these times, and when: CHANNEL.low.T0-T1, CHANNEL.low-at.T0-T1
#   rise A B …                  the largest rise of A + B + … after any earlier row: rise
#   share CHANNEL V T0 T1       the share of rows between these times where CHANNEL ≥ V: CHANNEL.share.T0-T1
#   variation CHANNEL T0 T1     how much it goes up and down between these times, per second: CHANNEL.variation.T0-T1
#   cycles CHANNEL PERIOD        the largest difference between rows one PERIOD apart, over the range: CHANNEL.cycles
#   correlation A B T0 T1       Pearson's, and largest B over largest A, over rows between these times: B.correlation, B.ratio
#   flight JOINT CHANNEL        the largest |CHANNEL| in rows where JOINT flies and flew in both neighbours: CHANNEL.flight
#   spacing JOINT               the mean time between rows in flight and in contact: spacing.flight, spacing.contact
#   error CHANNEL T             the largest difference from `against` up to time T, over the largest |CHANNEL|: error.T
#   horizon CHANNEL BOUND       the first time that this ratio exceeds BOUND, else the last time: horizon
function abs(x) { return x < 0 ? -x : x }
function put(name, value) { printf "%s.%s %.10g\n", case, name, value }
function at(name, row) {
    if (!(name in number)) {
        print "measure.awk: " case " has no channel " name >"/dev/stderr"
        exit 1
    }
    return cell[row, number[name]]
}

FNR == 1 {
    file++
    if (file == 1 + (against != ""))
        for (i = 1; i <= NF; i++) {
            name[i] = $i
            number[$i] = i
        }
    else
        for (i = 1; i <= NF; i++)
            theirs[i] = $i
    next
}
file == 1 && against != "" {
    for (i = 1; i <= NF; i++)
        other[FNR - 1, theirs[i]] = $i
    others = FNR - 1
    next
}
{
    rows++
    columns = NF
    for (i = 1; i <= NF; i++) {
        x = $i + 0
        cell[rows, i] = x
        if (rows == 1 || x > largest[i]) largest[i] = x
        if (rows == 1 || x < smallest[i]) smallest[i] = x
        square[i] += x * x
        if (against != "" && (rows, name[i]) in other) {
            d = abs(x - other[rows, name[i]])
            if (d > dev[i]) dev[i] = d
            devsquare[i] += d * d
            compared[i] = 1
        }
    }
}

END {
    if (!rows) exit 1
    for (i = 1; i <= columns; i++) {
        put(name[i] ".max", largest[i])
        put(name[i] ".min", smallest[i])
        put(name[i] ".maxabs", largest[i] > -smallest[i] ? largest[i] : 0 - smallest[i])
        put(name[i] ".rms", sqrt(square[i] / rows))
        if (compared[i] && others == rows) {
            put(name[i] ".dev", dev[i])
            put(name[i] ".devrms", sqrt(devsquare[i] / rows))
        }
    }
    count = split(take, list, ";")
    for (k = 1; k <= count; k++) {
        words = split(list[k], word, " ")
        if (!words) continue
        if (word[1] == "top") {
            found = 0
            for (r = 1; r <= rows; r++)
                if (cell[r, 1] >= word[3] && cell[r, 1] <= word[4] && (!found++ || at(word[2], r) > best)) best = at(word[2], r)
            put(word[2] ".top." word[3] "-" word[4], best)
        } else if (word[1] == "low") {
            found = 0
            for (r = 1; r <= rows; r++)
                if (cell[r, 1] >= word[3] && cell[r, 1] <= word[4] && (!found++ || at(word[2], r) < best)) {
                    best = at(word[2], r)
                    when = cell[r, 1]
                }
            put(word[2] ".low." word[3] "-" word[4], best)
            put(word[2] ".low-at." word[3] "-" word[4], when)
        } else if (word[1] == "rise") {
            best = 0
            for (r = 1; r <= rows; r++) {
                sum = 0
                for (w = 2; w <= words; w++) sum += at(word[w], r)
                if (r == 1) first = sum
                if (r == 1 || sum < low) low = sum
                if (sum - low > best) best = sum - low
            }
            put("rise", best)
            put("fall", first - sum)
        } else if (word[1] == "share") {
            all = in_it = 0
            for (r = 1; r <= rows; r++)
                if (cell[r, 1] >= word[4] && cell[r, 1] <= word[5]) {
                    all++
                    in_it += at(word[2], r) >= word[3]
                }
            put(word[2] ".share." word[4] "-" word[5], in_it / all)
        } else if (word[1] == "variation") {
            sum = 0
            for (r = 2; r <= rows; r++)
                if (cell[r - 1, 1] >= word[3] && cell[r, 1] <= word[4]) sum += abs(at(word[2], r) - at(word[2], r - 1))
            put(word[2] ".variation." word[3] "-" word[4], sum / (word[4] - word[3]))
        } else if (word[1] == "cycles") {
            shift = int(word[3] / (cell[2, 1] - cell[1, 1]) + 0.5)
            best = 0
            for (r = 1; r + shift <= rows; r++) {
                d = abs(at(word[2], r + shift) - at(word[2], r))
                if (d > best) best = d
            }
            put(word[2] ".cycles", best / (largest[number[word[2]]] - smallest[number[word[2]]]))
        } else if (word[1] == "correlation") {
            n = sx = sy = sxx = syy = sxy = 0
            for (r = 1; r <= rows; r++)
                if (cell[r, 1] >= word[4] && cell[r, 1] <= word[5]) {
                    x = at(word[2], r); y = at(word[3], r)
                    n++; sx += x; sy += y; sxx += x * x; syy += y * y; sxy += x * y
                    if (n == 1 || x > bx) bx = x
                    if (n == 1 || y > by) by = y
                }
            put(word[3] ".correlation", (n * sxy - sx * sy) / sqrt((n * sxx - sx * sx) * (n * syy - sy * sy)))
            put(word[3] ".ratio", by / bx)
        } else if (word[1] == "flight") {
            best = 0
            for (r = 2; r < rows; r++)
                if (at(word[2] ".mode", r) == 0 && at(word[2] ".mode", r - 1) == 0 && at(word[2] ".mode", r + 1) == 0 &&
                    abs(at(word[3], r)) > best)
                    best = abs(at(word[3], r))
            put(word[3] ".flight", best)
        } else if (word[1] == "spacing") {
            for (r = 2; r <= rows; r++) {
                m = at(word[2] ".mode", r) > 0
                if (m == (at(word[2] ".mode", r - 1) > 0)) {
                    time[m] += cell[r, 1] - cell[r - 1, 1]
                    steps[m]++
                }
            }
            put("spacing.flight", time[0] / steps[0])
            put("spacing.contact", time[1] / steps[1])
        } else if (word[1] == "error" || word[1] == "horizon") {
            best = size = 0
            for (r = 1; r <= rows; r++)
                if (abs(at(word[2], r)) > size) size = abs(at(word[2], r))
            for (r = 1; r <= rows; r++) {
                d = abs(at(word[2], r) - other[r, word[2]]) / size
                if (word[1] == "error" && cell[r, 1] <= word[3] && d > best) best = d
                if (word[1] == "horizon" && d > word[3]) break
            }
            if (word[1] == "error") put("error." word[3], best)
            else put("horizon", cell[r < rows ? r : rows, 1])
        } else {
            print "measure.awk: no measure " word[1] >"/dev/stderr"
            exit 1
        }
    }
}
