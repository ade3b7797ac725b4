export type FieldError = { field: string; msg: string };

/**
 * An expected "no". The console shows `message` where it belongs and lays `fields` on the inputs.
 * `code` is a stable word for programs (roomTaken, stale …); `status` is the HTTP status.
 */
export class Refusal extends Error {
  code: string;
  status: number;
  fields: FieldError[];
  /** Whatever the console needs to go on, such as a fresh preview. */
  data: unknown;
  /** True: what was written so far is committed although the answer is no, such as the count of failed log-ins. */
  keeps: boolean;

  constructor(
    code: string,
    message: string,
    status = 409,
    more: { fields?: FieldError[]; data?: unknown; keeps?: boolean } = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.status = status;
    this.fields = more.fields ?? [];
    this.data = more.data ?? null;
    this.keeps = more.keeps ?? false;
  }
}

/** A record that does not exist, or lies outside the operator's villages: the answer is the same. */
export const notFound = () => new Refusal("notFound", "记录不存在", 404);
export const stale = () => new Refusal("stale", "数据已被他人修改，请刷新后重试", 409);
export const signedOut = () => new Refusal("signedOut", "未授权，请重新登录(401)", 401);
export const forbidden = () => new Refusal("noPermission", "没有权限执行此操作", 403);
/** One or several wrong inputs, each with its own sentence. */
export const invalid = (...fields: FieldError[]) =>
  new Refusal("invalid", fields[0]?.msg ?? "输入有误", 400, { fields });

/** Of many records that are done together: a refusal says which one it is about. */
export async function eachNamed<T>(number: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, status, fields, data } = error;
    throw new Refusal(code, `${number}：${message}`, status, { fields, data });
  }
}
