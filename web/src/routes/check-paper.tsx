import { t } from '@lingui/core/macro';
import { type MetaFunction, useParams } from 'react-router';
import { CheckPaper } from '../features/papers/check-paper.tsx';
import { tabTitle } from '../lib/public-meta.ts';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Comprobar un documento`) }];

/** Whether a paper is one that Chasqui issued: the QR on it leads here. */
export default function CheckPaperPage() {
  const { code = '' } = useParams();
  return <CheckPaper key={code} code={code} />;
}
