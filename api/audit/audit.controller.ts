import { Controller, StreamableFile } from '@nestjs/common';
import type { AuditVerification } from '#core/contracts/http/audit';
import { endpoints } from '#core/contracts/http/endpoints';
import { auditCsv, findAuditPage, writeAudit } from '#domain/audit/audit.repository';
import { verifyAudit } from '#domain/audit/verify';
import { Database } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';

/** The audit log and the verification of its hash chain. */
@Controller()
export class AuditController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.auditLog)
  async list(@Call() { query }: CallOf<typeof endpoints.auditLog>) {
    return this.database.read((em) => findAuditPage(em, query));
  }

  @Serve(endpoints.verifyAudit)
  @RateLimited('refreshesPerAdmin')
  async verify(): Promise<AuditVerification> {
    const found = await verifyAudit(this.database);
    const detail = { checked: found.checked, broken: found.broken };
    await this.database.transaction((em) => writeAudit(em, 'audit_verified', { detail }));
    return found;
  }

  @Serve(endpoints.exportAudit)
  @RateLimited('papersPerPerson')
  async export(@Call() { query }: CallOf<typeof endpoints.exportAudit>): Promise<StreamableFile> {
    const entry = { subject: 'audit', detail: query };
    await this.database.transaction((em) => writeAudit(em, 'list_exported', entry));
    return new StreamableFile(auditCsv(this.database, query), {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="chasqui-audit.csv"',
    });
  }
}
