import { findRecords } from "../domains/report/search/search.contract.ts";
import type { Place } from "./place.ts";
import { median, percentile } from "./rounds.ts";
import { row, type Keep } from "./table.ts";

/** The same word looked for in every record, as it would be without indexes. */
const WHOLE = `select (select count(*) from room where full_name || '' ilike $1)
  + (select count(*) from party where name || '' ilike $1 or phone || '' like $1)
  + (select count(*) from contract where contract_no || party_name ilike $1)
  + (select count(*) from bill where bill_no || '' ilike $1)`;

/** What people type into the search of the header: names in part and whole, phones, rooms, numbers, and what there is not. */
async function wordsOf({ database: { pool } }: Place): Promise<string[]> {
  const one = async (text: string) =>
    (await pool.query<{ word: string }>(`${text} offset 1000 limit 1`)).rows[0]!.word;
  const name = await one("select name word from party where kind = 'renter'");
  return [
    name,
    name.slice(0, 2),
    name.slice(-2),
    await one("select pinyin word from party where kind = 'renter'"),
    await one("select right(phone, 4) word from party where kind = 'renter'"),
    await one("select phone word from party where kind = 'renter'"),
    await one("select name word from room"),
    await one("select full_name word from room"),
    await one("select left(pinyin, 2) word from room"),
    await one("select contract_no word from contract"),
    await one("select left(bill_no, 10) word from bill"),
    "龘龘",
    "qxz",
    "没有这个人",
  ];
}

/** The search over everything at 100,000 rooms, for somebody who may see all stores. */
export async function measureSearch(place: Place, rounds: number, keep: Keep): Promise<void> {
  const token = await place.token("qinghe01");
  const words = await wordsOf(place);
  const ours = new Map<string, number[]>(words.map((word) => [word, []]));
  const whole: number[] = [];
  for (let i = -1; i < rounds; i++)
    for (const word of words) {
      const began = performance.now();
      const answer = await fetch(`${place.base}${findRecords.path}?keyword=${encodeURIComponent(word)}`, {
        headers: { authorization: token },
      });
      await answer.arrayBuffer();
      const ms = performance.now() - began;
      if (!answer.ok) throw new Error(`${word} answered ${answer.status}`);
      if (i < 0) continue;
      ours.get(word)!.push(ms);
      const scan = performance.now();
      if (word.length > 2) {
        await place.database.pool.query(WHOLE, [`%${word}%`]);
        whole.push(performance.now() - scan);
      }
    }
  const each = [...ours].map(([word, times]) => ({ word, ms: median(times) }));
  for (const { word, ms } of each) process.stderr.write(`${word}: ${ms.toFixed(1)} ms\n`);
  const worst = Math.max(...each.map((e) => e.ms));
  const all = [...ours.values()].flat();
  const ratio = median(whole) / median(all);
  keep(
    "search",
    { each, whole: median(whole), ratio },
    row("Search over everything at 100,000 rooms, ms", "< 100", median(all), worst, worst < 100),
    row(
      "A look through all records ÷ that search",
      "≥ 10",
      ratio,
      median(whole) / percentile(all, 95),
      ratio >= 10,
    ),
  );
}
