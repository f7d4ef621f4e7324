#!/usr/bin/env bash
# Makes a large table on a Slurm cluster: an array of jobs for each wave of parts, and a job that joins them.
#
#   menace generate --game 6x6x4+gravity --plan --shelf shelf
#   examples/cluster/slurm.sh shelf 6x6x4+gravity.menace
#
# All computers have to see the shelf. Jobs of a wave start when the wave before is done; if one fails, the later ones are
# cancelled. To continue after an error, run it again: parts that are there are not made again. MENACE is the program.
set -euo pipefail
shelf=$1 table=$2 menace=${MENACE:-menace}

# For each wave: the megabytes of memory that a part needs, and the numbers of its parts. Slurm allows 1000 jobs in an array.
waves=$(python3 - "$shelf/plan.json" <<'PYTHON'
import json, sys

plan = json.load(open(sys.argv[1]))
for wave in plan["waves"]:
    megabytes = max(plan["parts"][part]["memory"] for part in wave) // 1_000_000 + 100
    for first in range(0, len(wave), 1000):
        print(megabytes, *wave[first : first + 1000])
PYTHON
)

# A job is a line for another shell, so names with spaces have to be quoted.
quoted() { printf "'%s'" "${1//\'/\'\\\'\'}"; }
menace=$(quoted "$menace") shelf=$(quoted "$shelf") table=$(quoted "$table")

submit() { sbatch --parsable --kill-on-invalid-dep=yes "${after[@]}" "$@"; }

after=()
while read -r megabytes parts; do
    count=$(wc -w <<<"$parts")
    job=$(submit --job-name=menace --array="0-$((count - 1))" --mem="${megabytes}M" \
        --wrap "set -- $parts; shift \$SLURM_ARRAY_TASK_ID; exec $menace part \$1 --threads \${SLURM_CPUS_PER_TASK:-1} --shelf $shelf")
    after=("--dependency=afterok:${job%%;*}")
done <<<"$waves"
submit --job-name=menace-join --wrap "exec $menace join $shelf -o $table"
