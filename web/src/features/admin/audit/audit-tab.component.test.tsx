import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AuditEntryView } from '#core/contracts/http/audit';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { openAsAdmin } from '../../../testing/admin-panel.tsx';
import { expectEnglishOnly, showEnglish } from '../../../testing/english.ts';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { AuditTab } from './audit-tab.tsx';

const api = installFakeApi();
const transferId = '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01';
const entry: AuditEntryView = {
  ...{ id: '0199b2d0-0000-4000-8000-0000000000a1', position: 41, at: '2026-11-20T14:00:00.000Z' },
  ...{ kind: 'transfer_approved', actor_id: '0199b2d0-0000-4000-8000-0000000000c1', actor_name: 'Luis Choque' },
  ...{ actor_role: 'admin', subject: transferId, detail: '{"final":true}', network: '203.0.113.0/24' },
};

const open = (items: AuditEntryView[]) =>
  openAsAdmin(api, <AuditTab />, { auditLog: () => ({ items, nextCursor: null }) });
const field = (testid: string) => page.getByTestId(testid);
const queries = () => api.calls.filter(({ name }) => name === 'auditLog').map(({ query }) => query);

test('entries say who did what to what, are narrowed, and leave as a file with the same filters', async () => {
  await open([entry]);
  await expect.element(field('audit-entry')).toMatchTextContent(/Aprobó un envío.*Luis Choque.*203\.0\.113\.0/);
  await expect.element(page.getByRole('link', { name: transferId })).toBeVisible();
  await field('audit-actor').fill('luis');
  await field('audit-apply').click();
  await expect.element(page.getByText('Escribe el id completo de la persona')).toBeVisible();
  expect(queries()).toHaveLength(1);
  await field('audit-actor').fill('');
  await field('audit-kind').selectOptions('rate_proposed');
  await field('audit-from').fill('2026-11-01');
  api.answer({ auditLog: () => ({ items: [], nextCursor: null }) });
  await field('audit-apply').click();
  await expect.element(page.getByText('No hay nada escrito con estos filtros')).toBeVisible();
  expect(queries().at(-1)).toMatchObject({ kind: 'rate_proposed', from: '2026-11-01' });
  const file = field('audit-export').element() as HTMLAnchorElement;
  expect(file.getAttribute('href')).toBe('/api/admin/audit/csv?kind=rate_proposed&from=2026-11-01');
});

test('a check of the chain names the row that does not fit', async () => {
  await showEnglish();
  await open([entry]);
  const head = 'a'.repeat(64);
  api.answer({ verifyAudit: () => ({ checked: 41, head_hash: head, broken: null }) });
  await field('audit-verify').click();
  await expect.element(field('audit-whole')).toMatchTextContent(new RegExp(`41:${head}`));
  await expectAccessible();
  const broken = { position: 12, entry_id: entry.id, problem: 'changed' as const };
  api.answer({ verifyAudit: () => ({ checked: 11, head_hash: head, broken }) });
  await field('audit-verify').click();
  await expect.element(field('audit-broken')).toMatchTextContent(new RegExp(entry.id));
  expectEnglishOnly('Luis Choque');
});
