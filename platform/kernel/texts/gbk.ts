let codes: Map<string, number[]> | undefined;

/** Two bytes of each character that GBK has, as the decoder says them. */
function table(): Map<string, number[]> {
  if (codes) return codes;
  codes = new Map();
  const decoder = new TextDecoder("gbk");
  for (let lead = 0x81; lead < 0xff; lead++)
    for (let trail = 0x40; trail < 0xff; trail++) {
      const char = decoder.decode(Uint8Array.of(lead, trail));
      if (char.length === 1 && !codes.has(char)) codes.set(char, [lead, trail]);
    }
  return codes;
}

/** A text as GBK, for programs that read nothing else; what it does not have becomes a question mark. */
export const gbk = (text: string): Uint8Array =>
  Uint8Array.from([...text].flatMap((c) => (c < "\x80" ? [c.charCodeAt(0)] : (table().get(c) ?? [0x3f]))));
