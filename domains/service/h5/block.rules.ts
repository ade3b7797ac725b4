import { mobileOrLandline } from "../../../platform/kernel/texts/contact.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { type FieldError, Refusal } from "../../../platform/kernel/refusal.ts";
import { cleaned, plainOf } from "../../system/announcement/announcement.rules.ts";

export type Picture = { fileId: number; alt: string };
export type Target =
  | { kind: "url"; url: string }
  | { kind: "phone"; phone: string }
  /** `gone` is worked out when it is shown: that page was taken off. */
  | { kind: "page"; pageId: number; gone?: boolean | undefined };
export type Block =
  | { kind: "heading"; text: string; level: 1 | 2 }
  | { kind: "text"; text: string }
  | ({ kind: "image" } & Picture)
  | { kind: "gallery"; images: Picture[] }
  | { kind: "button"; label: string; to: Target }
  | { kind: "contact"; name: string; phone: string; hours: string; address: string }
  | { kind: "divider" };

export const MOST_BLOCKS = 50;

/** The words of a text and nothing else: scripts go whole, other markup loses its marks. */
export const plainText = (text: string): string => plainOf(cleaned(text));

/** Blocks as they are kept: every text plain. */
export const plainBlocks = (blocks: readonly Block[]): Block[] =>
  blocks.map((block) => {
    if (block.kind === "heading" || block.kind === "text") return { ...block, text: plainText(block.text) };
    if (block.kind === "image") return { ...block, alt: plainText(block.alt) };
    if (block.kind === "gallery")
      return { ...block, images: block.images.map((i) => ({ ...i, alt: plainText(i.alt) })) };
    if (block.kind === "button") return { ...block, label: plainText(block.label) };
    if (block.kind === "contact")
      return {
        ...block,
        name: plainText(block.name),
        hours: plainText(block.hours),
        address: plainText(block.address),
      };
    return block;
  });

const isWeb = (url: string) => {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === "https:" && !username && !password;
};

/** What is wrong with one block, apart from what only the database knows. */
function wrongWith(block: Block): string | undefined {
  switch (block.kind) {
    case "heading":
    case "text":
      return block.text.trim() ? undefined : "没有内容";
    case "button":
      if (!block.label.trim()) return "没有按钮文字";
      if (block.to.kind === "url" && !isWeb(block.to.url)) return "的链接须为 https 地址";
      return block.to.kind === "phone" && mobileOrLandline(block.to.phone) ? "的电话格式不正确" : undefined;
    case "contact":
      if (!block.name.trim()) return "没有联系人";
      return block.phone && mobileOrLandline(block.phone) ? "的电话格式不正确" : undefined;
    case "gallery":
      return block.images.length ? undefined : "没有图片";
    default:
      return undefined;
  }
}

const OF_AGREEMENTS = new Set<Block["kind"]>(["heading", "text", "divider"]);

/** Every reason why cleaned blocks cannot be published, by the place of the block. */
export function blockErrors(kind: "page" | "agreement", blocks: readonly Block[]): FieldError[] {
  if (!blocks.length) return [{ field: "blocks", msg: "请先添加内容" }];
  if (blocks.length > MOST_BLOCKS) return [{ field: "blocks", msg: `最多${MOST_BLOCKS}个区块` }];
  return blocks.flatMap((block, i) => {
    const why =
      kind === "agreement" && !OF_AGREEMENTS.has(block.kind)
        ? "不能用于协议，协议只能包含标题、正文和分隔线"
        : wrongWith(block);
    return why ? [{ field: `blocks.${i}`, msg: `第${i + 1}个区块${why}` }] : [];
  });
}

/** The pictures of a page, each with the place of its block. */
export const picturesIn = (blocks: readonly Block[]): { fileId: number; at: number }[] =>
  blocks.flatMap((block, at) =>
    block.kind === "image"
      ? [{ fileId: block.fileId, at }]
      : block.kind === "gallery"
        ? block.images.map(({ fileId }) => ({ fileId, at }))
        : [],
  );

export const pagesIn = (blocks: readonly Block[]): { pageId: number; at: number }[] =>
  blocks.flatMap((block, at) =>
    block.kind === "button" && block.to.kind === "page" ? [{ pageId: block.to.pageId, at }] : [],
  );

export type H5Kind = "page" | "agreement";
export type H5State = "draft" | "published" | "offline";

/** One answer for a draft, a page that was taken off, and one that never was. */
export const UNKNOWN = "页面不存在或已下线";
export const unknown = (message: string) => new Refusal("notFound", message, 404);

type Row = { kind: H5Kind };
export const H5_MOVES = moves<H5State, Row>({ draft: "草稿", published: "已发布", offline: "已下线" })({
  publish: { label: "发布", from: ["draft", "published", "offline"], to: "published" },
  offline: {
    label: "下架",
    from: ["published"],
    to: "offline",
    unless: ({ kind }) => kind === "agreement" && "协议可能已有人同意，不能下架，只能发布新版本",
  },
});

export const AGREEMENTS = {
  user: "用户协议",
  privacy: "隐私政策",
  lease: "租赁须知",
  member: "会员协议",
} as const;
export type AgreementType = keyof typeof AGREEMENTS;
export const AGREEMENT_TYPES = Object.keys(AGREEMENTS) as [AgreementType, ...AgreementType[]];

export const MAINTAINED = "协议内容维护中";

export type Heading = { id: string; text: string; level: 1 | 2 };

/** The table of contents: each heading with the anchor that its place in the text carries. */
export const contentsOf = (blocks: readonly Block[]): Heading[] =>
  blocks.flatMap((block, at) =>
    block.kind === "heading" ? [{ id: anchorOf(at), text: block.text, level: block.level }] : [],
  );
export const anchorOf = (at: number): string => `s${at + 1}`;

/** The version that holds on a day: the newest whose day has come. */
export const holding = <V extends { number: number; effectiveDay: string | null }>(
  versions: readonly V[],
  today: string,
): V | undefined =>
  versions
    .filter((v) => v.effectiveDay !== null && v.effectiveDay <= today)
    .reduce<V | undefined>((best, v) => (!best || v.number > best.number ? v : best), undefined);
