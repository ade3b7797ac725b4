import { z } from "zod";
import { DARK, ENOUGH, WHITE, contrast } from "./colour.ts";
import { mobileOrLandline } from "./contact.ts";
import { checked, input } from "../field.ts";
import { imageKind } from "./image.ts";
import { all, matches, optional } from "../validators.ts";
import type { Validator } from "../validators.ts";

/** An https address without name or password in it. */
const address =
  (sentence: string): Validator =>
  (value) => {
    if (!URL.canParse(value)) return sentence;
    const url = new URL(value);
    return url.protocol === "https:" && !url.username && !url.password ? undefined : sentence;
  };

const COLOUR = "主题色格式须为 #RRGGBB";
const readable: Validator = (hex) => {
  const [white, dark] = [contrast(hex, WHITE), contrast(hex, DARK)];
  return Math.max(white, dark) >= ENOUGH
    ? undefined
    : `主题色上的文字不够清晰（对比度：白色 ${white.toFixed(2)}，深色 ${dark.toFixed(2)}，至少 ${ENOUGH}）`;
};

/** A file of brands/assets, by its name. */
const asset = (title: string, types: string) =>
  checked(title, matches(new RegExp(`^[a-z0-9][a-z0-9-]*\\.(${types})$`), `${title}文件名不正确`));

/** What differs from one customer's deployment to the next. Chosen by the setting `brand`; unknown fields are refused. */
export const brandSchema = z.strictObject({
  key: checked("品牌编码", matches(/^[a-z0-9]{3,20}$/, "品牌编码为3到20位小写字母和数字")),
  /** Follows the route title in the page title. */
  productTitle: input("产品标题", 2, 20),
  headerTitle: input("页头标题", 2, 60).default("Smart Apartment Management Platform"),
  loginTitle: input("登录标题", 2, 30),
  /** Stands large on the login picture, its note small below. */
  slogan: input("标语", 2, 30).default("每一间房，都看得清"),
  sloganNote: input("标语说明", 0, 60).default("房态、合同、账单、设备，在同一块板上。"),
  logo: asset("标志", "svg|png"),
  favicon: asset("网站图标", "svg|png"),
  background: asset("登录背景", "svg|png|jpg"),
  footerText: input("页脚", 1, 100),
  themeColor: checked("主题色", all(matches(/^#[0-9A-Fa-f]{6}$/, COLOUR), readable)),
  mode: z.enum(["dark", "light"], { error: "请选择主题" }),
  /** Empty: the origin that served the page. */
  apiBase: checked("接口地址", optional(address("接口地址须为 https 地址"))).default(""),
  /** Empty: the manual that comes with the product. */
  helpUrl: checked("帮助地址", optional(address("帮助地址须为 https 地址"))).default(""),
  hideHelp: z.boolean().default(false),
  /** How often the login page hashes a password before it sends it. */
  passwordHashTimes: z.union([z.literal(1), z.literal(2)], { error: "密码摘要次数为1或2" }).default(1),
  showChangePhone: z.boolean().default(true),
  showChangePassword: z.boolean().default(true),
  allowRegister: z.boolean().default(false),
  helpPhone: checked("服务电话", optional(mobileOrLandline)).default(""),
  /** Picture of the code that opens the customer's mini-program; empty where there is none. */
  miniCode: checked(
    "小程序码",
    optional(matches(/^[a-z0-9][a-z0-9-]*\.(svg|png|jpg)$/, "小程序码文件名不正确")),
  ).default(""),
});

export type Brand = z.output<typeof brandSchema>;
/** Answer of GET /system/api/v3/brand/current: the brand, single sign-on, and the accounts of a demonstration. */
export type BrandNow = Brand & {
  sso?: { name: string };
  passwordMin?: number;
  demo?: { accounts: { account: string; password: string; name: string }[] };
};
/** What a file in brands/ has to say; the rest has defaults. */
export type BrandFile = z.input<typeof brandSchema>;

/** Reads what a brand file says; throws one line for each wrong field. */
export function readBrand(file: unknown): Brand {
  const answer = brandSchema.safeParse(file);
  if (answer.success) return answer.data;
  const lines = answer.error.issues.map(({ path, message }) => `${path.join(".") || "(file)"}: ${message}`);
  throw new Error(`The brand is not valid.\n${lines.join("\n")}`);
}

export const ASSET_CAPS = {
  logo: 2 * 1024 ** 2,
  favicon: 200 * 1024,
  background: 10 * 1024 ** 2,
  miniCode: 2 * 1024 ** 2,
} as const;

/** Scripts, handlers and addresses outside the file have no place in a drawing that every visitor loads. */
const UNSAFE_SVG =
  /<script|<foreignObject|<!ENTITY|\son\w+\s*=|javascript:|(?:href|src)\s*=\s*["'](?!#|data:image\/)|url\(\s*["']?(?!#)/i;

/** The sentence against the content of a brand's picture, or nothing. */
export function assetRefusal(
  use: keyof typeof ASSET_CAPS,
  name: string,
  bytes: Uint8Array,
): string | undefined {
  const cap = ASSET_CAPS[use];
  if (bytes.length > cap)
    return `图片大小不能超过${cap < 1024 ** 2 ? `${cap / 1024}K` : `${cap / 1024 ** 2}M`}`;
  if (!name.endsWith(".svg"))
    return imageKind(bytes) === (name.endsWith(".png") ? "png" : "jpeg") ? undefined : "请上传图片";
  const drawing = new TextDecoder().decode(bytes).trim();
  if (
    !/^(<\?xml[^>]*>\s*)?<svg\s[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/.test(drawing) ||
    !drawing.endsWith("</svg>")
  )
    return "请上传图片";
  return UNSAFE_SVG.test(drawing) ? "图片含有脚本或外部链接" : undefined;
}
