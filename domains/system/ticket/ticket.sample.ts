import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import type { StoredFile } from "../file/file.contract.ts";
import { postFile } from "../file/file.sample.ts";
import { sendToTicket } from "./ticket.contract.ts";

/** Sends a file as a phone does: nobody is signed in there. */
export const sendByPhone = (house: TestHouse, token: string, file: { name: string; bytes: Buffer }) =>
  postFile<StoredFile>(house, sendToTicket.path.replace(":token", token), file);
