import { aBook } from "../../../platform/server/sheets/book.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { postFile } from "../file/file.sample.ts";
import type { Call } from "../../../platform/kernel/call.ts";

/** A sheet with these heads and lines, as people fill it in. */
export function sheetBytes(name: string, lines: readonly Record<string, string>[]): Promise<Buffer> {
  const heads = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  return aBook(name, [heads, ...lines.map((line) => heads.map((head) => line[head]))]);
}

type Sent = { id: number; state: string; errorCount: number };

/** Sends a file to be checked, as the console does. */
export async function sendFile(
  house: TestHouse,
  as: Person,
  call: Call,
  bytes: Buffer,
  fields: Record<string, string | number | undefined> = {},
  name = "客户.xlsx",
) {
  const said = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as const],
  );
  const { status, body } = await postFile<Sent>(
    house,
    call.path,
    { name, bytes },
    { as, fields: Object.fromEntries(said) },
  );
  return { status, message: body.message, ...body.data };
}

/** The same for a file that nothing stands against, for a store or for none; answers the batch. */
export async function sendSheet(
  house: TestHouse,
  as: Person,
  calls: { check: Call },
  villageId: number | undefined,
  bytes: Buffer,
): Promise<number> {
  const { status, message, id } = await sendFile(house, as, calls.check, bytes, { villageId });
  if (status !== 200) throw new Error(message);
  return id;
}
