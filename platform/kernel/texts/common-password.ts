/**
 * What people take for a password before anything else, in China and elsewhere: a word, letters beside each other on the
 * keyboard or a declaration of love, with digits before or behind it that are no choice either. Patterns stand for the
 * thousands of lines that published lists spell out.
 */
const WORDS = new Set(
  `a aa aaa aaaa b c q qq qqq w ww www x xx xxx y z zz zzz ab abc abcd abcde abcdef abcabc aabb qwe qwer qwert qwerty
  qwertyuiop asd asdf asdfg asdfgh asdfghjkl zxc zxcv zxcvb zxcvbn zxcvbnm qaz wsx qazwsx qazwsxedc qweasd qweasdzxc asdasd
  qweqwe poiuy lkjhg mnbvc pass password passwd passw passwort pwd mima wodemima admin administrator adm root sa sys system
  user username test tester testing guest demo temp default login welcome hello hi letmein changeme secret master manager
  woaini woaiwo woaiwoziji woainima aini ainiyiwannian woaibaba woaimama woaita iloveyou ilove iloveu loveyou love lovely
  nihao nihaoma woshishui wangyue caonima nimabi tamade shabi woshini laopo laogong baobao baobei qinaide meimei gege
  zhongguo china beijing shanghai hangzhou shenzhen guangzhou taobao weixin wechat alipay tencent huawei xiaomi jiangjun
  li wang zhang liu chen yang zhao huang zhou wu lixiang zhangsan lisi wangwu xiaoming monkey dragon football baseball
  superman batman sunshine princess shadow michael jordan computer internet freedom money happy lucky apple google`.split(
    /\s+/,
  ),
);
const MIXED = new Set(
  `1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc q1w2e3 q1w2e3r4 q1w2e3r4t5 a1b2c3 a1b2c3d4 zaq12wsx 1qazxsw2 qaz123wsx
  1a2b3c 1a2b3c4d a1s2d3f4 1z2x3c4v z1x2c3v4 passw0rd adm1n r00t abc123abc 123abc123 123qwe123 qwe123qwe asd123asd
  q1q1q1q1 a1a1a1a1 1a1a1a1a 1q1q1q1q`.split(/\s+/),
);

const STEPS = "01234567890 09876543210";
/** One digit, a run, pairs or triples, a part said twice, a year, or a number that is said for its sound. */
const easy = (digits: string): boolean =>
  STEPS.includes(digits) ||
  /^(\d)\1*$/.test(digits) ||
  /^((\d)\2+)+$/.test(digits) ||
  /^(\d{2,4})\1+$/.test(digits) ||
  /^(19|20)\d\d$/.test(digits) ||
  /^(520|521|1314|1314520|1314521|5201314|5211314|147258|147258369|147852|159357|159753|258369|7758521|7758258|100200|123654|123789|110120|2580)$/.test(
    digits,
  );

/** True for a password that is guessed among the first, whatever capitals and marks it is dressed in. */
export function isCommon(password: string): boolean {
  const bare = password
    .toLowerCase()
    .replace(/@/g, "a")
    .replace(/\$/g, "s")
    .replace(/[^a-z0-9]/g, "");
  if (MIXED.has(bare) || easy(bare)) return true;
  const parts = /^(\d*)([a-z]*)(\d*)$/.exec(bare);
  if (!parts) return false;
  const [, before, word, after] = parts as unknown as [string, string, string, string];
  return (WORDS.has(word) || /^(.)\1*$/.test(word)) && [before, after].every((d) => !d || easy(d));
}
