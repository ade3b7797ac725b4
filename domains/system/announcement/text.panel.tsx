import { blocksOf, type Inline } from "./text.rules.ts";

const Words = ({ inlines }: { inlines: readonly Inline[] }) =>
  inlines.map(({ text, bold, href }, i) =>
    href ? (
      <a key={i} href={href} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    ) : bold ? (
      <b key={i}>{text}</b>
    ) : (
      <span key={i}>{text}</span>
    ),
  );

/** The text of an announcement. Nothing of it is taken as markup by the browser. */
export const AnnouncementText = ({ text }: { text: string }) => (
  <div className="notice__text">
    {blocksOf(text).map((block, i) =>
      block.kind === "list" ? (
        <ul key={i}>
          {block.items.map((item, k) => (
            <li key={k}>
              <Words inlines={item} />
            </li>
          ))}
        </ul>
      ) : (
        <p key={i}>
          <Words inlines={block.inlines} />
        </p>
      ),
    )}
  </div>
);
