import { timingSafeEqual } from "node:crypto";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Settings } from "../../../platform/server/process/settings.ts";

const PICTURES = "/room/api/v3/listingPicture";
type Sealing = Pick<Read, "cipher">;

const signatureOf = ({ cipher }: Sealing, fileId: number) =>
  cipher.hash(`listing picture ${fileId}`).subarray(0, 18).toString("base64url");

/** Where the product is reached from outside. */
export const originOf = ({ PUBLIC_URL, HOST, PORT }: Settings) =>
  (PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/+$/, "");

/** The address of a published picture; nobody can make up that of another file. */
export const pictureUrl =
  (read: Sealing & Pick<Read, "settings">) =>
  (fileId: number): string =>
    `${originOf(read.settings)}${PICTURES}/${fileId}?sig=${signatureOf(read, fileId)}`;

export const feedUrl = (read: Pick<Read, "settings">, token: string, as: "json" | "xml"): string =>
  `${originOf(read.settings)}/room/api/v3/feed/${token}.${as}`;

export function checkSignature(read: Sealing, fileId: number, given: string): void {
  const [a, b] = [Buffer.from(signatureOf(read, fileId)), Buffer.from(given)];
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw notFound();
}
