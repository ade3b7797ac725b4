const DANGEROUS =
  /^(确定|确认)?(离开|冲销|作废|删除|停用|停业|停止|注销|移除|匿名化|驳回|撤销|撤回|释放|踢下线|加入黑名单|取消推送|取消调价|取消退款|取消看房|没收|核销|拒绝|搬离|流失|下架)/;

/** Acts that take something away or leave something behind: their buttons are never the blue one. */
export const dangerous = (verb: string): boolean => DANGEROUS.test(verb);
