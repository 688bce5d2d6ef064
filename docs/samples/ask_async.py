import asyncio

from interlingua import AsyncClient


async def main() -> None:
    async with AsyncClient("local") as client:
        reply = await client.generate("Say hello in one short sentence.")
    print(reply.text)


asyncio.run(main())
# => Hello, I'm here to help with any creative writing project.
