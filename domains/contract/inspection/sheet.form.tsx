import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { FileUpload } from "../../../platform/console/files/upload.tsx";
import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { Lines } from "../../../platform/console/form/lines.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { today } from "../../../platform/console/session/operator.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";
import { handwriting } from "../esign/handwriting.panel.tsx";
import { type Sheet, saveSheet, startSheet } from "./inspection.contract.ts";
import { SHEET_KINDS, type SheetKind } from "./inspection.rules.ts";
import "../esign/signer.css";

type Typed = Body<typeof saveSheet>;
type Item = NonNullable<Typed["items"]>[number];
type Meter = NonNullable<Typed["readings"]>[number];

/** Pictures of one line, by click, drop or phone; those that are there stay until they are cleared. */
const Photos = ({ value = [], onChange, id }: InputProps<number[]>) => (
  <div className="stack gap-2">
    {value.length > 0 && (
      <div className="row gap-3">
        <span className="fs-12">已有 {value.length} 张</span>
        <Button size="sm" run={() => onChange([])}>
          清空
        </Button>
      </div>
    )}
    <FileUpload
      id={id}
      call={UPLOADS.image10M}
      accept=".jpg,.jpeg,.png"
      hint="照片"
      maxFiles={9 - value.length}
      value={[]}
      onChange={(files) => onChange([...value, ...(files ?? []).map((f) => f.id)])}
    />
  </div>
);

/** The party signs on the screen; what is drawn goes with the sheet as it is saved. */
function Signature({ name, onChange }: { name: string; onChange: (picture: string | undefined) => void }) {
  const at = useRef<HTMLDivElement>(null);
  const told = useRef(onChange);
  told.current = onChange;
  useEffect(() => {
    const hand = handwriting(name);
    const tell = () => told.current(hand.picture() || undefined);
    hand.box.addEventListener("pointerup", tell);
    hand.box.addEventListener("click", tell);
    at.current?.replaceChildren(hand.box);
  }, [name]);
  return <div ref={at} />;
}

type SheetFormProps = {
  contractId: number;
  room: { roomId: number; name: string };
  kind: SheetKind;
  partyName: string;
  /** As it was saved; left out for a new one. */
  sheet?: Sheet | undefined;
  onClose: () => void;
};

/** 交接单 of a room: things with their condition, keys, cards, readings, and the party's signature on them. */
export function SheetForm({ contractId, room, kind, partyName, sheet, onClose }: SheetFormProps) {
  const { data: start } = useQuery({
    ...ask(startSheet, { params: { id: contractId }, query: { roomId: room.roomId, kind } as never }),
    enabled: !sheet,
  });
  const from = sheet ?? start;
  if (!from) return null;
  const out = kind === "out";
  return (
    <FormDrawer
      call={saveSheet}
      title={`${SHEET_KINDS[kind][0]} ${room.name}`}
      ok="保存"
      done={`已保存${SHEET_KINDS[kind][0]}`}
      params={{ id: contractId }}
      initial={{
        kind,
        roomId: room.roomId,
        doneOn: sheet?.doneOn ?? today(),
        items: from.items,
        readings: from.readings.map((r) => ({ ...r, reading: r.reading || undefined })) as Meter[],
        keys: sheet?.keys ?? 0,
        cards: sheet?.cards ?? 0,
        keyPrice: sheet?.keyPrice,
        cardPrice: sheet?.cardPrice,
        note: sheet?.note ?? "",
        scanIds: [],
        version: sheet?.version ?? 0,
      }}
      onClose={onClose}
      cols={2}
      width={1080}
      fields={(_, form) => [
        "doneOn",
        "keys",
        "cards",
        ...(out
          ? ([
              { key: "keyPrice", help: "少还的每把" },
              { key: "cardPrice", help: "少还的每张" },
            ] as const)
          : []),
        "note",
        { section: "物品", note: out ? "新损坏、缺失的须拍照；赔偿价高于清单价须说明" : "" },
        {
          show: () => (
            <Lines<Typed, Item>
              form={form}
              name="items"
              heads={["物品", "数量", "状况", "赔偿价（元/件）", "说明", "照片"]}
              fields={[
                { key: "name", width: 160 },
                { key: "quantity", width: 80 },
                { key: "condition", width: 104 },
                { key: "price", width: 120 },
                "reason",
                { key: "fileIds", width: 220, input: (p) => <Photos {...p} /> },
              ]}
              blank={{ quantity: 1, condition: "good" }}
              add="添加物品"
            />
          ),
        },
        { section: "表计读数", note: out ? "填写单价的，用量可以带入结算扣款" : "" },
        {
          show: () => (
            <Lines<Typed, Meter>
              form={form}
              name="readings"
              heads={["类型", "表号", ...(out ? ["起始读数"] : []), "读数", "单价（元）", "照片"]}
              fields={[
                { key: "kind", width: 104 },
                { key: "meterNo", width: 160 },
                ...(out ? ([{ key: "start", width: 120 }] as const) : []),
                { key: "reading", width: 120 },
                { key: "price", width: 120 },
                { key: "fileIds", input: (p) => <Photos {...p} /> },
              ]}
              blank={{ kind: "electric" }}
              add="添加读数"
              most={10}
            />
          ),
        },
        { section: "租客签字", note: sheet?.signed ? "修改后须重新签字" : "手写，或上传签字的纸质单" },
        {
          key: "signature",
          input: (p) => <Signature name={partyName} onChange={p.onChange as (v?: string) => void} />,
          title: "手写签名",
        },
        {
          key: "scanIds",
          input: (p) => (
            <PapersInput {...p} call={UPLOADS.paper10M} hint="签字的交接单，图片或PDF，最多9个" />
          ),
        },
      ]}
    />
  );
}
