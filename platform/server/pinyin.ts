import { pinyin } from "pinyin-pro";

/** What people type to find a name: first letters of Chinese characters, everything else as it is. 滨江店3栋 → bjd3d */
export const initialsOf = (text: string): string =>
  /[^\x00-\x7f]/.test(text)
    ? pinyin(text, { pattern: "first", toneType: "none", separator: "", nonZh: "consecutive" }).toLowerCase()
    : text.toLowerCase();
