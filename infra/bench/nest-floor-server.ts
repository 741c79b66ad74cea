// The bare insert of floor-server.ts behind Nest, to tell the framework's share. Environment: as there.
import 'reflect-metadata';
import { Controller, HttpCode, Module, Post, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { insertEvent, isSigned } from './floor-event.ts';

const { FLOOR_PORT, DATABASE_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 32 });

class Events {
  async receive(request: { rawBody: Buffer; headers: Record<string, string> }) {
    if (!isSigned(request.rawBody, request.headers['stripe-signature'] ?? '')) throw new Error('not signed');
    await insertEvent(pool, JSON.parse(request.rawBody.toString()));
    return { received: true };
  }
}
// Node runs these files without compiling them, and knows no decorator syntax.
const receive = Object.getOwnPropertyDescriptor(Events.prototype, 'receive') as PropertyDescriptor;
Post('event')(Events.prototype, 'receive', receive);
HttpCode(200)(Events.prototype, 'receive', receive);
Req()(Events.prototype, 'receive', 0);
Controller()(Events);

class Floor {}
Module({ controllers: [Events] })(Floor);

const app = await NestFactory.create(Floor, { rawBody: true, logger: false });
await app.listen(Number(FLOOR_PORT), '127.0.0.1');
console.log('ready');
process.on('SIGTERM', () => process.exit(0));
