import type { PDFDocument as Document, PDFPage, PDFRef } from "@cantoo/pdf-lib";

// read with the first file that is signed: a server that closes none does without its megabytes
const library = () => import("@cantoo/pdf-lib");
type Library = Awaited<ReturnType<typeof library>>;

/** A picture on a page, in points from the page's lower left corner; it keeps its shape within width and height. */
export type Picture = { png: Buffer; place: Place; width: number; height: number };
/** A named place of a page: where somebody signs. */
export type Place = { page: number; x: number; y: number };

/** Hex digits that are kept free for a signature with its certificates and a time stamp. */
const ROOM = 32_768;
const PLACEHOLDER = "**********";

/** The places that the printer named, by name. */
export async function placesIn(pdf: Buffer): Promise<Map<string, Place>> {
  const lib = await library();
  return namedPlaces(lib, await lib.PDFDocument.load(pdf));
}

export const pagesIn = async (pdf: Buffer): Promise<number> =>
  (await (await library()).PDFDocument.load(pdf)).getPageCount();

function namedPlaces(
  { PDFName, PDFDict, PDFArray, PDFString, PDFHexString, PDFNumber }: Library,
  doc: Document,
): Map<string, Place> {
  const found = new Map<string, Place>();
  const names = doc.catalog.lookupMaybe(PDFName.of("Names"), PDFDict);
  const list = names?.lookupMaybe(PDFName.of("Dests"), PDFDict)?.lookupMaybe(PDFName.of("Names"), PDFArray);
  const pages = doc.getPages();
  for (let i = 0; list && i + 1 < list.size(); i += 2) {
    const name = list.lookup(i, PDFString, PDFHexString).decodeText();
    const at = list.lookup(i + 1, PDFArray);
    const page = pages.findIndex((p) => p.ref === at.get(0));
    const [x, y] = [at.lookupMaybe(2, PDFNumber), at.lookupMaybe(3, PDFNumber)];
    if (page >= 0 && x && y) found.set(name, { page, x: x.asNumber(), y: y.asNumber() });
  }
  return found;
}

/**
 * Appends to a finished PDF without changing a byte of it: pages of another one behind its own, pictures over its pages, and the
 * place of a signature that will close it.
 */
export async function appended(
  pdf: Buffer,
  more: {
    pages: Buffer;
    pictures: readonly Picture[];
    signature: { name: string; reason: string; at: Date };
  },
): Promise<Buffer> {
  const lib = await library();
  const doc = await lib.PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false });
  const before = doc.getPages();
  const behind = await lib.PDFDocument.load(more.pages, { updateMetadata: false });
  for (const page of await doc.copyPages(behind, behind.getPageIndices())) doc.addPage(page);
  await drawPictures(doc, before, more.pictures);
  layPlace(lib, doc, before.at(-1)!, more.signature);
  return Buffer.from(await doc.save({ useObjectStreams: false }));
}

/** A copy with pictures over its pages. */
export async function withPictures(pdf: Buffer, pictures: readonly Picture[]): Promise<Buffer> {
  const doc = await (await library()).PDFDocument.load(pdf, { updateMetadata: false });
  await drawPictures(doc, doc.getPages(), pictures);
  return Buffer.from(await doc.save({ useObjectStreams: false }));
}

async function drawPictures(doc: Document, pages: PDFPage[], pictures: readonly Picture[]): Promise<void> {
  for (const { png, place, width, height } of pictures) {
    const page = pages[place.page] ?? pages.at(-1)!;
    const image = await doc.embedPng(png);
    page.drawImage(image, { x: place.x, y: place.y, ...image.scaleToFit(width, height) });
  }
}

/** The signature's dictionary with room for its bytes, and an invisible field that names it. */
function layPlace(
  { PDFArray, PDFNumber, PDFName, PDFHexString, PDFString }: Library,
  doc: Document,
  page: PDFPage,
  { name, reason, at }: { name: string; reason: string; at: Date },
): void {
  const { context } = doc;
  const ranges = PDFArray.withContext(context);
  ranges.push(PDFNumber.of(0));
  for (let i = 0; i < 3; i++) ranges.push(PDFName.of(PLACEHOLDER));
  const signature = context.register(
    context.obj({
      Type: "Sig",
      Filter: "Adobe.PPKLite",
      SubFilter: "adbe.pkcs7.detached",
      ByteRange: ranges,
      Contents: PDFHexString.of("0".repeat(ROOM)),
      Reason: PDFHexString.fromText(reason),
      Name: PDFHexString.fromText(name),
      M: PDFString.fromDate(at),
    }),
  );
  const field: PDFRef = context.register(
    context.obj({
      Type: "Annot",
      Subtype: "Widget",
      FT: "Sig",
      Rect: [0, 0, 0, 0],
      V: signature,
      T: PDFString.of("Signature1"),
      // print and locked
      F: 132,
      P: page.ref,
    }),
  );
  const annots = page.node.lookupMaybe(PDFName.of("Annots"), PDFArray);
  if (annots) annots.push(field);
  else page.node.set(PDFName.of("Annots"), context.obj([field]));
  const form = context.register(context.obj({ SigFlags: 3, Fields: [field] }));
  doc.catalog.set(PDFName.of("AcroForm"), form);
}

/**
 * A copy with a sheet laid over each page, both from their lower left corners; nothing where the file is encrypted or is
 * no PDF that can be read. A signature is about the bytes of the original, so the copy has none; what it shows of itself,
 * such as a seal, stays on the page.
 */
export async function laidOver(
  pdf: Buffer,
  sheetOf: (width: number, height: number) => Promise<Buffer>,
): Promise<Buffer | undefined> {
  const lib = await library();
  const doc = await unsignedCopy(lib, pdf).catch(() => undefined);
  if (!doc) return undefined;
  const pages = doc.getPages();
  const boxes = pages.map((page) => page.getCropBox());
  const sheet = await sheetOf(
    Math.max(...boxes.map((box) => box.width)),
    Math.max(...boxes.map((box) => box.height)),
  );
  const [over] = await doc.embedPdf(sheet);
  pages.forEach((page, i) => page.drawPage(over!, { x: boxes[i]!.x, y: boxes[i]!.y }));
  return Buffer.from(await doc.save({ useObjectStreams: false }));
}

async function unsignedCopy({ PDFDocument, PDFName, PDFRef, PDFSignature }: Library, pdf: Buffer) {
  const doc = await PDFDocument.load(pdf, { updateMetadata: false });
  const form = doc.getForm();
  const N = PDFName.of("N");
  for (const field of form.getFields()) {
    if (!(field instanceof PDFSignature)) continue;
    const { acroField } = field;
    const value = acroField.dict.get(PDFName.of("V"));
    if (value instanceof PDFRef) doc.context.delete(value);
    if (acroField.getWidgets().some((widget) => !widget.AP()?.has(N))) form.removeField(field);
  }
  form.flatten({ updateFieldAppearances: false });
  for (const key of ["AcroForm", "Perms", "DSS"]) doc.catalog.delete(PDFName.of(key));
  return doc;
}
