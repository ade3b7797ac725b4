import { aBook } from "../../../platform/server/sheets/book.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import type { Call } from "../../../platform/kernel/call.ts";

/** A sheet with these heads and lines, as people fill it in. */
export function sheetBytes(name: string, lines: readonly Record<string, string>[]): Promise<Buffer> {
  const heads = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  return aBook(name, [heads, ...lines.map((line) => heads.map((head) => line[head]))]);
}

/** Sends a file to be checked, for a store or for none; answers the batch. */
export async function sendSheet(
  house: TestHouse,
  as: Person,
  calls: { check: Call },
  villageId: number | undefined,
  bytes: Buffer,
): Promise<number> {
  const form = new FormData();
  if (villageId) form.set("villageId", String(villageId));
  form.append("file", new Blob([new Uint8Array(bytes)]), "客户.xlsx");
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url: calls.check.path,
    headers: { "content-type": body.headers.get("content-type")!, authorization: as.token },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return (answer.json() as { data: { id: number } }).data.id;
}
