import { useQuery } from "@tanstack/react-query";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { ask, download, send } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { checkDocument, documentFile } from "../paper/paper.contract.ts";
import { contractDocuments, DOCUMENT_WORDS, type ContractDetail } from "./detail.contract.ts";

/** The papers of a contract: the print, and the scans with the hash they had when they came in. */
export function ContractPapers({ contract: c }: { contract: ContractDetail }) {
  const { data, error, refetch } = useQuery(ask(contractDocuments, { params: { id: c.id } }));
  const check = async (documentId: number) => {
    const { same, said } = await send(checkDocument, { params: { id: c.id, documentId } });
    toast(said, same ? "success" : "error");
  };
  return (
    <>
      <div className="acts">
        <Button icon="file" run={() => openFile(`/contract/api/v3/contract/${c.id}/paper`)}>
          {c.signedOn ? "打印合同正文" : "打印待签稿"}
        </Button>
      </div>
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={3} />
      ) : !data.length ? (
        <Empty text="签署后在这里保存扫描件" />
      ) : (
        <div className="box">
          <table className="tbl">
            <thead>
              <tr>
                <th>文件名</th>
                <th>类型</th>
                <th className="num">大小</th>
                <th>SHA-256</th>
                <th>上传</th>
                <th>操作</th>
              </tr>
            </thead>
            <tbody>
              {data.map((d) => (
                <tr key={d.id}>
                  <td>{d.name}</td>
                  <td>
                    <WordTag words={DOCUMENT_WORDS} code={d.kind} />
                  </td>
                  <td className="num">{(d.size / 1024).toFixed(0)} K</td>
                  <td className="dim" title={d.fileHash}>
                    {d.fileHash.slice(0, 16)}…
                  </td>
                  <td>
                    {timeInZone(d.createdAt).slice(0, 16)} {d.createdBy}
                  </td>
                  <td className="row">
                    <button
                      type="button"
                      className="linkish"
                      onClick={() => void download(documentFile, { params: { id: c.id, documentId: d.id } })}
                    >
                      下载
                    </button>
                    <button type="button" className="linkish" onClick={() => void check(d.id)}>
                      核验
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
