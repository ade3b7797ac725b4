/** What makes up the look of an element; the rest is behaviour or stands still in a picture. */
const LOOK = [
  ..."display position top right bottom left float box-sizing width height min-width min-height".split(" "),
  ..."margin-top margin-right margin-bottom margin-left".split(" "),
  ..."padding-top padding-right padding-bottom padding-left".split(" "),
  ..."border-top border-right border-bottom border-left border-radius border-collapse border-spacing".split(
    " ",
  ),
  ..."background-color background-image background-size color opacity box-shadow outline".split(" "),
  ..."font-family font-size font-weight font-variant-numeric line-height letter-spacing".split(" "),
  ..."text-align text-anchor text-decoration text-overflow white-space vertical-align overflow".split(" "),
  ..."flex-direction flex-grow flex-shrink flex-basis flex-wrap align-items align-self align-content".split(
    " ",
  ),
  ..."justify-content justify-self gap order columns column-gap break-inside".split(" "),
  ..."grid-template-columns grid-column grid-row grid-auto-flow".split(" "),
  ..."fill stroke stroke-width paint-order stroke-dasharray list-style-type transform visibility".split(" "),
];

/** Gives a copy the look that the original has on the page, element by element; what was drawn becomes a picture. */
function dressAs(copied: Element, original: Element): void {
  let copy = copied;
  if (original instanceof HTMLCanvasElement) {
    const drawn = document.createElement("img");
    drawn.src = original.toDataURL();
    copied.replaceWith(drawn);
    copy = drawn;
  }
  const look = getComputedStyle(original);
  copy.setAttribute("style", LOOK.map((name) => `${name}:${look.getPropertyValue(name)}`).join(";"));
  const [copies, children] = [[...copy.children], [...original.children]];
  for (const [i, child] of children.entries()) dressAs(copies[i]!, child);
}

/** An element as a picture of twice its size, without what says data-picture="off". */
export async function pictureOf(element: HTMLElement, ground: string): Promise<Blob | null> {
  const { width, height } = element.getBoundingClientRect();
  const copy = element.cloneNode(true) as HTMLElement;
  dressAs(copy, element);
  copy.style.margin = "0";
  for (const off of copy.querySelectorAll("[data-picture=off]")) off.remove();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${new XMLSerializer().serializeToString(copy)}</foreignObject></svg>`;
  const drawn = new Image();
  drawn.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await drawn.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.ceil(width * 2), Math.ceil(height * 2)];
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.scale(2, 2);
  pen.drawImage(drawn, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Saves what an element shows as "<name>.png". */
export async function savePicture(element: HTMLElement, name: string): Promise<void> {
  const own = getComputedStyle(element).backgroundColor;
  const ground = own === "rgba(0, 0, 0, 0)" ? getComputedStyle(document.body).backgroundColor : own;
  const blob = await pictureOf(element, ground);
  if (!blob) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
