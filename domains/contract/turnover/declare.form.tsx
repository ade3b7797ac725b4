import { yuan } from "../../../platform/kernel/fen.ts";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { ShopMonth } from "./months.panel.tsx";
import { declareSales, editSales } from "./statement.contract.ts";

type Typed = { gross?: number | undefined; refunds?: number | undefined; excluded?: number | undefined };
const net = ({ gross = 0, refunds = 0, excluded = 0 }: Typed) =>
  `净额 ${yuan(gross - refunds - excluded)} 元`;
const FIELDS = ["gross", "refunds", "excluded", { key: "note", wide: true }, "submit"] as const;

/** 申报营业额 and its correction. */
export function DeclareForm(p: { contractId: number; month: ShopMonth; onClose: () => void }) {
  const { month: m, contractId, onClose } = p;
  if (m.id === null || m.version === null)
    return (
      <FormDrawer
        call={declareSales}
        title={`申报 ${m.month} 营业额`}
        done="营业额已申报"
        initial={{ contractId, monthNo: m.no, refunds: 0, excluded: 0, submit: true }}
        fields={FIELDS}
        note={net}
        onClose={onClose}
      />
    );
  return (
    <FormDrawer
      call={editSales}
      title={`编辑 ${m.month} 营业额`}
      done="营业额已保存"
      params={{ id: m.id }}
      initial={{
        gross: m.gross ?? 0,
        refunds: m.refunds ?? 0,
        excluded: m.excluded ?? 0,
        note: m.note,
        submit: true,
        version: m.version,
      }}
      fields={FIELDS}
      note={net}
      onClose={onClose}
    />
  );
}
