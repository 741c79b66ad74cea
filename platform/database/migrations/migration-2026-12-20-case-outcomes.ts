import { Migration } from '@mikro-orm/migrations';

/** How a case ended by itself is a code, which every reader sees in their language. What persons wrote stays as it is. */
export class CaseOutcomes extends Migration {
  override up(): void {
    for (const part of [column, codes]) this.addSql(part);
  }
}

const column = `
alter table desk_case add column outcome text null;
alter table desk_case add constraint desk_case_outcome_check check (outcome in ('account_corrected', 'bank_could_not_pay', 'paid',
  'refunding', 'refunded', 'uncharged', 'dispute_lost', 'dispute_won', 'dispute_dropped', 'warning_past'));
`;

/** The sentences that the server wrote until now. */
const codes = `
update desk_case set outcome = written.outcome, resolution = null from (values
  ('La cuenta se corrigió; se vuelve a pagar.', 'account_corrected'),
  ('El banco contestó que no pudo pagar.', 'bank_could_not_pay'),
  ('El dinero se pagó.', 'paid'),
  ('El dinero se devuelve al remitente.', 'refunding'),
  ('El dinero volvió al remitente.', 'refunded'),
  ('El envío terminó sin cobrarse.', 'uncharged'),
  ('La disputa se perdió.', 'dispute_lost'),
  ('La disputa se ganó.', 'dispute_won'),
  ('El banco de la tarjeta no sigue con la disputa.', 'dispute_dropped'),
  ('Ya no se puede evitar una disputa: llegó, o el dinero se devolvió.', 'warning_past')
) as written (sentence, outcome) where desk_case.resolution = written.sentence;
`;
