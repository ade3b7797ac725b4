import { useState } from "react";
import type { Call, Reply } from "../../kernel/call.ts";
import { ImportDialog, type ImportWires } from "./importing.tsx";
import { VillageSelect } from "../inputs/selects.tsx";

type Props<M extends Call> = {
  title: string;
  calls: ImportWires<Call, M>;
  /** What the store is for the records. */
  village?: string;
  onDone?: (done: Reply<M> & { version: number }) => void;
  onClose: () => void;
};

/** An import into one store: the file is checked whole, then everything in it is registered or nothing. */
export function VillageImport<M extends Call>({ village = "登记门店", ...p }: Props<M>) {
  const [villageId, setVillageId] = useState<number>();
  return (
    <ImportDialog
      {...p}
      notYet={villageId ? undefined : `请选择${village}`}
      fields={{ villageId: String(villageId) }}
    >
      <label className="fi">
        <span className="fi__label fi__label--must">{village}</span>
        <div className="fi__in">
          <VillageSelect value={villageId} onChange={setVillageId} />
        </div>
      </label>
    </ImportDialog>
  );
}
