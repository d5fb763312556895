export function generateStaticParams() {
  return [{ topic: 'care' }];
}

export default async function Guide({ params }) {
  const { topic } = await params;
  return <h1>Guide: {topic}</h1>;
}
