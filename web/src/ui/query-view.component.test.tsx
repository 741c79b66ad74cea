import { useQuery } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { queryClient } from '../data/query-client.ts';
import { rateKeys } from '../data/query-keys.ts';
import { ApiFailure } from '../lib/http.ts';
import { renderApp } from '../testing/render-app.tsx';
import { QueryView } from './query-view.tsx';

const unavailable = () => new ApiFailure(503, '', { code: 'unavailable', message: 'No disponible.' });
const key = rateKeys.board;

/** What the fetches of a rate answer, one after another. */
let answers: (string | Error)[] = [];

async function fetchRate(): Promise<string> {
  const answer = answers.shift() ?? '';
  if (answer instanceof Error) throw answer;
  return answer;
}

function Rate({ showsRefetchFailure }: { showsRefetchFailure: boolean }) {
  const query = useQuery({ queryKey: key, queryFn: fetchRate });
  return (
    <>
      <output>{query.status}</output>
      <QueryView query={query} loading={<p>Cargando</p>} showsRefetchFailure={showsRefetchFailure}>
        {(rate) => <p>Tasa {rate}</p>}
      </QueryView>
    </>
  );
}

function renderRate(fetches: (string | Error)[], { showsRefetchFailure = false } = {}) {
  answers = [...fetches];
  return renderApp([{ path: '/', element: <Rate showsRefetchFailure={showsRefetchFailure} /> }]);
}

test('QueryView keeps showing data when a refetch fails', async () => {
  const { screen } = await renderRate(['11,55', unavailable()]);
  await expect.element(screen.getByText('Tasa 11,55')).toBeVisible();
  await queryClient.refetchQueries({ queryKey: key });
  await expect.element(screen.getByRole('status')).toHaveTextContent('error');
  await expect.element(screen.getByText('Tasa 11,55')).toBeVisible();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
});

test('QueryView says above the data that a refetch failed where it is told to', async () => {
  const { screen } = await renderRate(['11,55', unavailable()], { showsRefetchFailure: true });
  await expect.element(screen.getByText('Tasa 11,55')).toBeVisible();
  await queryClient.refetchQueries({ queryKey: key });
  await expect.element(screen.getByText(/No disponible/)).toBeVisible();
  await expect.element(screen.getByText('Tasa 11,55')).toBeVisible();
});

test('QueryView offers to try again when nothing could be loaded', async () => {
  const { screen } = await renderRate([unavailable(), '11,55']);
  await expect.element(screen.getByText(/No disponible/)).toBeVisible();
  await screen.getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(screen.getByText('Tasa 11,55')).toBeVisible();
});
