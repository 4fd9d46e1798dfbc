#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash bearing: tables, units, the search for a load, bad command lines.
. "${0%/*}/lib.sh"

# --- Curves
expect_exit 0 bearing
expect_no_errors
expect_lines 11 .stdout
expect_contains "sommerfeld"
expect_exit 0 bearing --csv curve.csv --ld 1 --eps 0.2,0.6,0.8
expect_silent
expect_lines 4 curve.csv
expect_close "$(csv_column curve.csv sommerfeld | sed -n 2p)" 0.1209 2e-4
expect_close "$(csv_column curve.csv attitude | sed -n 2p)" 50.53 2e-4
expect_exit 0 bearing --film short --ld 0.25 --eps 0.1:0.3:0.1 --csv -
expect_no_errors
expect_lines 4 .stdout
expect_exit 0 bearing --film short --ld 1 --eps 0.5
expect_error_contains "trusted up to L/D = 1/4"
expect_exit 0 bearing --inlet "groove at 180 deg" --eps 0.5
expect_exit 0 bearing --full --film long --ld 5 --eps 0.5 --csv full.csv
expect_close "$(csv_column full.csv attitude)" 90 1e-9

# --- In SI units, and the load that a table gives found again
sizes=(--radius "25 mm" --clearance "25 um" --length "50 mm" --speed "1800 rpm")
expect_exit 0 bearing "${sizes[@]}" --viscosity "27.6 mPa s" --eps 0.4 --csv si.csv
load=$(csv_column si.csv load)
expect_exit 0 bearing "${sizes[@]}" --viscosity "27.6 mPa s" --load "$load" --csv found.csv
expect_close "$(csv_column found.csv eps)" 0.4 1e-8
expect_close "$(csv_column found.csv min_film)" 15e-6 1e-12
# Of radius, length and L/D any two do.
others=(--clearance "25 um" --speed "1800 rpm" --viscosity "27.6 mPa s" --eps 0.4)
expect_exit 0 bearing "${others[@]}" --radius "25 mm" --ld 1 --csv length.csv
expect_exit 0 bearing "${others[@]}" --length "50 mm" --ld 1 --csv radius.csv
expect_close "$(csv_column length.csv load)" "$load" 1e-12
expect_close "$(csv_column radius.csv load)" "$load" 1e-12
expect_exit 0 bearing "${sizes[@]}" --oil "SAE 30" --temperature "60 degC" --load "2.5 kN"
expect_no_errors
expect_lines 3 .stdout
expect_exit 0 bearing "${sizes[@]}" --oil "SAE 30" --temperature "5 degC" --eps 0.5
expect_error_contains "warning"

# --- What makes no sense
expect_exit 2 bearing --film reynold
expect_error_contains "did you mean 'reynolds'"
expect_exit 2 bearing --film squeeze-long
expect_error_contains "no steady load"
expect_exit 2 bearing --eps 0.5,1.5
expect_error_contains "between 0 and 1"
expect_exit 2 bearing --eps half
expect_error_contains "FROM:TO:STEP"
expect_exit 2 bearing --eps 0.1:0.9
expect_exit 2 bearing --eps 0.1:0.9:0
expect_exit 2 bearing --eps 0.1:0.9:1e-9
expect_exit 2 bearing --ld 0
expect_error_contains "positive"
expect_exit 2 bearing --ld "3 mm"
expect_error_contains "--ld"
expect_exit 2 bearing --radius "25 mm"
expect_error_contains "also needs --clearance"
expect_exit 2 bearing --load "2 kN"
expect_error_contains "also needs --radius"
expect_exit 2 bearing "${sizes[@]}" --viscosity 0.03 --ld 1
expect_error_contains "two of the three"
expect_exit 2 bearing --clearance "25 um" --speed "1800 rpm" --viscosity 0.03 --length "50 mm"
expect_error_contains "also needs --radius"
expect_exit 2 bearing --radius "25 mm" --clearance "25 um" --speed "1800 rpm" --viscosity 0.03
expect_error_contains "also needs --length (or --ld)"
expect_exit 2 bearing "${sizes[@]}" --viscosity 0.03 --load 100 --eps 0.5
expect_error_contains "only one"
expect_exit 2 bearing "${sizes[@]}" --viscosity 0.03 --oil "SAE 30" --temperature "60 degC"
expect_error_contains "exclude each other"
expect_exit 2 bearing "${sizes[@]}" --oil "SAE 35" --temperature "60 degC"
expect_error_contains "did you mean 'SAE 3"
expect_exit 2 bearing "${sizes[@]}" --oil "SAE 30"
expect_error_contains "--temperature"
expect_exit 2 bearing "${sizes[@]}" --viscosity 0.03 --temperature "60 degC"
expect_error_contains "--oil"
expect_exit 2 bearing "${sizes[@]}" --oil "SAE 30" --temperature 60
expect_error_contains "does not flow"
expect_exit 2 bearing --inlet groove
expect_error_contains "groove at 180 deg"
expect_exit 2 bearing --inlet "groove at 3 mm"
expect_exit 2 bearing --inlet nowhere
expect_exit 1 bearing "${sizes[@]}" --viscosity 1e-9 --load "1 MN"
expect_error_contains "too large"
finish
