import { useState } from "react";
import { useRefresh } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { sentence } from "../../../platform/console/failure.ts";
import { Icon } from "../../../platform/console/icons.tsx";
import { download, upload } from "../../../platform/console/request.ts";
import { VillageSelect } from "../../../platform/console/selects.tsx";
import { roomImportTemplate, uploadRoomImport } from "./import.contract.ts";

/** Steps 1 and 2: the template of a store, and the file that was made with it. */
export function Upload({ onChecked }: { onChecked: (id: number) => void }) {
  const refresh = useRefresh();
  const [villageId, setVillageId] = useState<number>();
  const [name, setName] = useState<string>();
  const [failed, setFailed] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const take = async (file: File | undefined) => {
    if (!file || busy) return;
    setName(file.name);
    setFailed(undefined);
    if (!/\.xlsx$/i.test(file.name)) return setFailed("请上传xlsx文件");
    if (file.size > uploadRoomImport.upload!.maxBytes) return setFailed("文件大小不能超过10M");
    setBusy(true);
    try {
      const { id } = await upload(uploadRoomImport, {
        files: [file],
        fields: villageId ? { villageId: String(villageId) } : {},
      });
      onChecked(id);
      await refresh();
    } catch (error) {
      setFailed(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <div className="intake__bar">
        <VillageSelect value={villageId} placeholder="多个门店，按“门店”列" onChange={setVillageId} />
        {villageId && <Button run={() => setVillageId(undefined)}>清除</Button>}
        <Button
          icon="download"
          run={() => download(roomImportTemplate, { query: villageId ? { villageId } : {} })}
        >
          下载模板
        </Button>
        <span className="dim">模板带所选门店的楼栋、产品和下拉选项；“说明”页有填写规则和示例</span>
      </div>
      <label
        className={`drop ${over ? "drop--over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        {busy ? (
          <>
            <span className="btn__spin" /> 正在检查 {name}
          </>
        ) : (
          <>
            点击或拖入填好的文件{" "}
            <span className="dim">.xlsx，不超过 10M、10,000 行；先检查，不会马上导入</span>
          </>
        )}
        <input
          className="sr"
          type="file"
          accept=".xlsx"
          disabled={busy}
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </label>
      {failed && (
        <div className="form__alert" role="alert">
          <Icon name="warn" />
          {name}：{failed}
        </div>
      )}
    </>
  );
}
