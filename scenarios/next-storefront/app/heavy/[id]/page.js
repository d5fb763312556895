import { burnCpu } from '../../../lib/burn';
import { countRender } from '../../../lib/renders';

export const dynamic = 'force-dynamic';

const BURN_MILLIS = 100;

export default async function Heavy({ params }) {
  const { id } = await params;
  countRender('/heavy/[id]');
  burnCpu(BURN_MILLIS);
  return <h1>Report {id}</h1>;
}
