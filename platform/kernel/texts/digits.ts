/** Digits as they are meant: wide ones of a Chinese keyboard, separators of thousands, the sign and the word of yuan. */
export const digits = (text: string): string =>
  text.normalize("NFKC").replaceAll(/[,\s]/g, "").replaceAll("。", ".").replace(/^¥/, "").replace(/元$/, "");
