const DIGITS = "零一二三四五六七八九";
const STEPS = ["", "十", "百", "千"];
const GROUPS = ["", "万", "亿"];
const FORMAL = "零壹贰叁肆伍陆柒捌玖";
const FORMAL_STEPS = "拾佰仟";

/** Below ten thousand: 1005 → 一千零五. */
function group(n: number): string {
  let text = "";
  for (let place = 3; place >= 0; place--) {
    const digit = Math.floor(n / 10 ** place) % 10;
    if (digit) text += DIGITS[digit]! + STEPS[place];
    else if (text && !text.endsWith("零")) text += "零";
  }
  return text.replace(/零$/, "");
}

/** 12 → 十二, 105 → 一百零五, 20300 → 二万零三百. Whole numbers below a million millions. */
export function toChinese(n: number): string {
  if (!Number.isInteger(n) || Math.abs(n) >= 1e12) throw new RangeError(`no whole number below 1e12: ${n}`);
  if (n < 0) return `负${toChinese(-n)}`;
  if (n === 0) return DIGITS[0]!;
  let text = "";
  for (let i = 2; i >= 0; i--) {
    const part = Math.floor(n / 10_000 ** i) % 10_000;
    // A group that starts below a thousand is read with 零 before it: 一万零五百.
    if (part) text += (text && part < 1000 ? "零" : "") + group(part) + GROUPS[i];
    else if (text && n % 10_000 ** i && !text.endsWith("零")) text += "零";
  }
  return text.replace(/零+/g, "零").replace(/^一十/, "十");
}

/** 一百零五 → 105, also in banker's characters 壹佰零伍; undefined for anything else. */
export function fromChinese(text: string): number | undefined {
  const negative = text.startsWith("负");
  const plain = Array.from(
    text.slice(negative ? 1 : 0),
    (c) => DIGITS[FORMAL.indexOf(c)] ?? (STEPS[FORMAL_STEPS.indexOf(c) + 1] || c),
  )
    .join("")
    .replace(/^一十/, "十");
  let total = 0;
  let part = 0;
  let digit = 0;
  for (const c of plain) {
    const step = STEPS.indexOf(c);
    const group = GROUPS.indexOf(c);
    if (DIGITS.includes(c)) digit = DIGITS.indexOf(c);
    else if (step > 0) {
      part += (digit || 1) * 10 ** step;
      digit = 0;
    } else if (group > 0) {
      total += (part + digit) * 10_000 ** group;
      part = digit = 0;
    } else return undefined;
  }
  const n = total + part + digit;
  // Reading is lenient, so only what writing gives back counts: 十百 and 一二 are no numbers.
  if (n >= 1e12 || toChinese(n) !== plain) return undefined;
  return negative ? -n : n;
}
