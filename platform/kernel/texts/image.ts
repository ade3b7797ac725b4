const MB = 1024 * 1024;
/** Size caps of pictures, in bytes; each field names its own. */
export const IMAGE_CAPS = { "2M": 2 * MB, "10M": 10 * MB, "30M": 30 * MB } as const;

export type ImageKind = "png" | "jpeg";

const starts = (bytes: Uint8Array, ...head: number[]) => head.every((byte, i) => bytes[i] === byte);

/** What the content is, whatever its name says. */
export function imageKind(bytes: Uint8Array): ImageKind | undefined {
  if (starts(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "png";
  return starts(bytes, 0xff, 0xd8, 0xff) ? "jpeg" : undefined;
}

/** The sentence against a chosen picture, or nothing. `head` (its first bytes) is judged too where it is at hand. */
export function imageRefusal(
  file: { name: string; size: number; head?: Uint8Array },
  cap: keyof typeof IMAGE_CAPS,
): string | undefined {
  if (!/\.(jpe?g|png)$/i.test(file.name)) return "请上传图片";
  if (file.head && !imageKind(file.head)) return "请上传图片";
  return file.size > IMAGE_CAPS[cap] ? `图片大小不能超过${cap}` : undefined;
}
