# Runs the parts of a check one after another, all of them even if one fails, and sums up at the end. Sourced by `run` and `nightly`.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
began=$SECONDS
outcomes=()
failures=0

trap 'rm -rf "$scratch"' EXIT

clock() { printf '%02d:%02d' $(($1 / 60)) $(($1 % 60)); }

# part TITLE COMMAND…
part() {
  local title=$1 from=$SECONDS result=passed
  shift
  printf '\n== %s  %s\n' "$(clock $((SECONDS - began)))" "$title"
  rm -f test-results/failed.txt
  "$@" || { result=FAILED; failures=$((failures + 1)); }
  outcomes+=("$(printf '%-7s %s  %s' "$result" "$(clock $((SECONDS - from)))" "$title")")
  # The tests that failed, a line each.
  if [ -s test-results/failed.txt ]; then outcomes+=("$(cat test-results/failed.txt)"); fi
}

# Prints the outcome of every part, also into the file $1 if there is one, and exits.
summary() {
  local text
  text=$(
    printf '%s\n' "${outcomes[@]}"
    printf '%s parts, %s failed, %s in all, commit %s\n' "${#outcomes[@]}" "$failures" "$(clock $((SECONDS - began)))" "$(git rev-parse HEAD)"
  )
  printf '\n== Summary\n%s\n' "$text"
  if [ $# -gt 0 ]; then mkdir -p "$(dirname "$1")" && printf '%s\n' "$text" >"$1"; fi
  [ "$failures" -eq 0 ]
  exit
}

# Sees only what is committed, as somebody does who has just cloned it.
fresh_clone() (
  git clone --quiet --no-hardlinks . "$scratch/clone" && cd "$scratch/clone" && npm ci
)

# Prints the response of the URL; fails if there is none within 60 seconds.
response_of() {
  node --input-type=module -e '
    const deadlineMs = Date.now() + 60_000;
    const ask = () => fetch(process.argv[1]).then((response) => (response.ok ? response.text() : undefined), () => undefined);
    let text = await ask();
    while (text === undefined && Date.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      text = await ask();
    }
    if (text === undefined) process.exit(1);
    console.log(text);
  ' "$1"
}

clone_starts() (
  cd "$scratch/clone" || return 1
  local port group failed=0
  PATH="$PWD/node_modules/.bin:$PATH"
  port=$(node -e 'const s = net.createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
  # A process group of its own: npm, its shell and the launcher are then ended together, by its number.
  set -m
  npm start -- --port "$port" --data-dir "$scratch/data" --no-open >"$scratch/start.log" 2>&1 &
  group=$!
  set +m
  trap 'kill -KILL -- "-$group" 2>/dev/null' EXIT
  response_of "http://127.0.0.1:$port/api/health" || failed=1
  [ "$failed" -eq 0 ] || { printf 'no response within 60 s; the launcher said:\n'; cat "$scratch/start.log"; }
  kill -TERM -- "-$group"
  wait "$group"
  return "$failed"
)
