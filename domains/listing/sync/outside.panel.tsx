/** Where a listing stands outside, in a window of its own. */
export const Outside = ({ url }: { url: string }) => (
  <a href={url} target="_blank" rel="noreferrer noopener">
    查看
  </a>
);
