import { moves } from "../../../platform/kernel/moves.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";

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
