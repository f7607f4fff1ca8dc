/** The overview: the first page after signing in. */
import { Page } from '../layout.tsx';
import type { Result, StaffRequest } from '../request.ts';

/** `GET /` */
export async function showOverview(request: StaffRequest): Promise<Result> {
  const { t, merchant } = request;
  return {
    page: (
      <Page request={request} title={t('menu.home')}>
        <p>{merchant.name}</p>
      </Page>
    ),
  };
}
