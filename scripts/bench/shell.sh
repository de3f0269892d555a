# Plans or applies links, by their destinations only: `sh shell.sh ADDRESS plan|apply`.
set -eu
export LC_ALL=C
links=$1/api/v1/links
call() { curl -sf -H "Authorization: Bearer $LINKFORM_API_KEY" "$@"; }

page=1 last=1
while [ "$page" -le "$last" ]; do
  call "$links?sort=asc&per_page=100&page=$page" >page.json
  jq -r '.data[] | [.alias, .url, .id] | @tsv' page.json
  last=$(jq .meta.last_page page.json)
  page=$((page + 1))
done | sort >live.tsv
awk '/^  link/ { alias = substr($1, 1, length($1) - 1) } $1 == "url:" { print alias "\t" $2 }' links/0.yaml | sort >files.tsv
join -t "$(printf '\t')" files.tsv live.tsv | awk -F '\t' '$2 != $3 { print $4 "\t" $2 }' | tee changes.tsv
[ "$2" = apply ] || exit 0
while read -r id url; do call -X PUT --data-urlencode "url=$url" "$links/$id" >/dev/null; done <changes.tsv
