import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import type { StoredFile } from "../file/file.contract.ts";
import { sendToTicket } from "./ticket.contract.ts";

/** Sends a file as a phone does: nobody is signed in there. */
export async function sendByPhone(house: TestHouse, token: string, file: { name: string; bytes: Buffer }) {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(file.bytes)]), file.name);
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url: sendToTicket.path.replace(":token", token),
    headers: { "content-type": body.headers.get("content-type")! },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return { status: answer.statusCode, body: answer.json() as { message: string; data: StoredFile } };
}
