import { Link } from "react-router";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { addressOf, type Wire } from "../../../platform/console/calls/request.ts";
import { type Block, type Picture, type Target, anchorOf } from "./block.rules.ts";
import "./h5.css";

const PICTURE: Wire = { method: "GET", path: "/support/api/v3/h5Page/public/:id/file/:fileId" };

/** The blocks of a page in their order. Texts are words only, whatever is in them. */
export const Blocks = ({ pageId, blocks }: { pageId: number; blocks: readonly Block[] }) => (
  <div className="h5 stack gap-6">
    {blocks.map((block, at) => (
      <Shown key={anchorOf(at)} block={block} at={at} pageId={pageId} />
    ))}
  </div>
);

function Shown({ block, at, pageId }: { block: Block; at: number; pageId: number }) {
  switch (block.kind) {
    case "heading": {
      const Tag = block.level === 1 ? "h2" : "h3";
      return (
        <Tag id={anchorOf(at)} className="h5__heading">
          {block.text}
        </Tag>
      );
    }
    case "text":
      return block.text
        .split("\n")
        .filter((line) => line.trim())
        .map((line, i) => (
          // the lines of a frozen text keep their places
          <p key={i} className="h5__text">
            {line}
          </p>
        ));
    case "image":
      return <Photo pageId={pageId} picture={block} />;
    case "gallery":
      return (
        <div className="h5__gallery grid gap-4" role="group" aria-label="图片">
          {block.images.map((picture) => (
            <Photo key={picture.fileId} pageId={pageId} picture={picture} />
          ))}
        </div>
      );
    case "button":
      return <Go to={block.to}>{block.label}</Go>;
    case "contact":
      return (
        <address className="h5__contact stack gap-4 sub">
          <b>{block.name}</b>
          {block.phone && (
            <a href={`tel:${block.phone}`}>
              <Icon name="phone" />
              {block.phone}
            </a>
          )}
          {block.hours && (
            <span>
              <Icon name="clock" />
              {block.hours}
            </span>
          )}
          {block.address && (
            <span>
              <Icon name="home" />
              {block.address}
            </span>
          )}
        </address>
      );
    default:
      return <hr className="h5__line" />;
  }
}

const Photo = ({ pageId, picture }: { pageId: number; picture: Picture }) => (
  <img
    className="h5__photo"
    src={addressOf(PICTURE, { id: pageId, fileId: picture.fileId })}
    crossOrigin="anonymous"
    alt={picture.alt}
    loading="lazy"
  />
);

function Go({ to, children }: { to: Target; children: string }) {
  if (to.kind === "page" && to.gone)
    return (
      <span className="h5__go h5__go--off">
        {children}
        <small>内容已失效</small>
      </span>
    );
  if (to.kind === "page")
    return (
      <Link className="h5__go" to={`/service/AppH5Page?id=${to.pageId}`}>
        {children}
      </Link>
    );
  if (to.kind === "phone")
    return (
      <a className="h5__go" href={`tel:${to.phone}`}>
        {children}
      </a>
    );
  return (
    <a className="h5__go" href={to.url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
