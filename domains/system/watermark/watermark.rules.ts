import { greys } from "../../../platform/kernel/words.ts";

/** What may stand in a mark, and what people read of it. */
export const PLACEHOLDERS = {
  realName: "姓名",
  phoneTail: "手机尾号",
  account: "账号",
  date: "日期",
  brand: "品牌",
} as const;
export type Filling = Record<keyof typeof PLACEHOLDERS, string>;

export const SCOPES = greys({ pages: "页面", exports: "导出表格", pdfs: "PDF文件" });
export type Scope = keyof typeof SCOPES;

/** How a mark looks: opacity in percent, angle in degrees, gap in pixels or points. */
export type Look = { opacity: number; angle: number; gap: number };
export type Mark = Look & { text: string };

export const DEFAULT_LOOK: Look = { opacity: 15, angle: -22, gap: 120 };
export const DEFAULT_CONTENT = "{realName} {phoneTail} {date}";

/** The first placeholder of a text that is none, in its brackets. */
export const strangePlaceholder = (content: string): string | undefined =>
  [...content.matchAll(/\{(\w*)\}/g)].find(([, name]) => !Object.hasOwn(PLACEHOLDERS, name!))?.[0];

/** "{realName} {phoneTail}" → "张三 1234". */
export const filled = (content: string, by: Filling): string =>
  content.replace(/\{(\w+)\}/g, (whole, name: string) => by[name as keyof Filling] ?? whole).trim();

const SIZE = 14;
/** Chinese characters are as wide as they are high, others about half. */
export const widthOf = (text: string, size = SIZE): number =>
  [...text].reduce((sum, char) => sum + (char.charCodeAt(0) > 0x2e80 ? size : size * 0.58), 0);

const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** One tile of the mark as SVG; laid beside itself it covers a page. The grey is seen on light and dark alike. */
export function tileOf({ text, opacity, angle, gap }: Mark): string {
  const width = Math.ceil(widthOf(text)) + gap;
  const turn = (Math.abs(angle) * Math.PI) / 180;
  const height = Math.ceil(width * Math.sin(turn) * 0.5 + SIZE + gap);
  const [x, y] = [width / 2, height / 2];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><text x="${x}" y="${y}" transform="rotate(${angle} ${x} ${y})" text-anchor="middle" dominant-baseline="middle" font-size="${SIZE}" font-family="PingFang SC,Microsoft YaHei,Noto Sans SC,sans-serif" fill="#808080" fill-opacity="${opacity / 100}">${escaped(text)}</text></svg>`;
}
