import { createRequire } from "node:module";
import type { pinyin as Pinyin } from "pinyin-pro";

// its dictionary is loaded when the first name is written, not by every server that only reads
let pinyin: typeof Pinyin | undefined;
const load = () => createRequire(import.meta.url)("pinyin-pro").pinyin as typeof Pinyin;

/** What people type to find a name: first letters of Chinese characters, everything else as it is. 滨江店3栋 → bjd3d */
export const initialsOf = (text: string): string =>
  /[^\x00-\x7f]/.test(text)
    ? (pinyin ??= load())(text, {
        pattern: "first",
        toneType: "none",
        separator: "",
        nonZh: "consecutive",
      }).toLowerCase()
    : text.toLowerCase();
