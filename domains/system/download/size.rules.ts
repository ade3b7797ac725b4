/** Bytes as people read them: 812 B, 12.4 K, 3.1 M. */
export function sizeText(bytes: number | null): string {
  if (bytes === null) return "—";
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${(bytes / 1024).toFixed(1)} K` : `${(bytes / 1_048_576).toFixed(1)} M`;
}
