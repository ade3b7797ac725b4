/** Shows `head` and `tail` characters around `stars`; of a text too short for that, the first and the last alone. */
function mask(value: string, head: number, tail: number, stars?: number): string {
  const hidden = value.length - head - tail;
  if (hidden >= 3) return value.slice(0, head) + "*".repeat(stars ?? hidden) + value.slice(-tail);
  if (value.length < 3) return "*".repeat(value.length);
  return value[0] + "*".repeat(value.length - 2) + value.at(-1);
}

/** 138****1234 */
export const maskPhone = (value: string): string => mask(value, 3, 4, 4);
/** 1101**********1234: as many stars as characters hidden. */
export const maskCertificate = (value: string): string => mask(value, 4, 4);
/** 6222****1234 */
export const maskBank = (value: string): string => mask(value, 4, 4, 4);
/** 张*: the length of the name stays hidden too. */
export const maskName = (value: string): string => {
  const [first] = value;
  return first === undefined ? "" : `${first}*`;
};
