#!/usr/bin/env bash
# Makes a large table on a Slurm cluster: an array of jobs for each wave of parts, and a job that joins them.
#
#   menace generate --game 6x6x4+gravity --plan --shelf shelf
#   examples/cluster/slurm.sh shelf 6x6x4+gravity.menace
#
# All computers have to see the shelf. Jobs of a wave start when the wave before is done. To continue after an error, run it
# again: parts that are there are not made again. MENACE is the program.
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

after=()
while read -r megabytes parts; do
    count=$(wc -w <<<"$parts")
    job=$(sbatch --parsable --job-name=menace "${after[@]}" --array="0-$((count - 1))" --mem="${megabytes}M" \
        --wrap "parts=($parts); exec $menace part \${parts[\$SLURM_ARRAY_TASK_ID]} --shelf '$shelf'")
    after=("--dependency=afterok:$job")
done <<<"$waves"
sbatch --parsable --job-name=menace-join "${after[@]}" --wrap "exec $menace join '$shelf' -o '$table'"
