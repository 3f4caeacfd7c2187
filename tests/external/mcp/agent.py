"""An agent with the OpenAI Agents SDK, without a model: it finds a cook in Tokyo, writes, posts a bounty, and accepts."""

import asyncio
import json
import sys
import urllib.request

from agents.mcp import MCPServerStreamableHttp


async def call(server, name, **arguments):
    """The data of a tool's result."""
    result = await server.call_tool(name, arguments)
    text = result.content[0].text
    assert not dump(result)["isError"], f"{name}: {text}"
    return json.loads(text).get("data")


def dump(result):
    """A result with the names of the protocol."""
    return result.model_dump(by_alias=True)


def apply(config, bounty):
    """The cook applies, over the worker API."""
    request = urllib.request.Request(
        f"{config['url']}/worker/v1/bounties/{bounty}/applications",
        json.dumps({"message": "Gladly"}).encode(),
        {"X-Worker-Token": config["worker"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        assert response.status == 201


async def main(config):
    params = {"url": f"{config['url']}/mcp", "headers": {"X-API-Key": config["key"]}}
    async with MCPServerStreamableHttp(params=params) as server:
        tools = [tool.name for tool in await server.list_tools()]
        assert "decide_application" in tools and "create_key" not in tools, tools
        found = await call(server, "list_humans", skill="Cooking", state="Tokyo")
        assert found[0]["id"] == config["cook"], found
        talk = await call(server, "create_conversation", human_id=config["cook"], message="Can you cook for six on Friday?")
        bounty = await call(server, "create_bounty", title="Cook for six", description="Friday at seven.", budget=120)
        await asyncio.to_thread(apply, config, bounty["id"])
        application = (await call(server, "list_applications", id=bounty["id"]))[0]
        await call(server, "decide_application", id=bounty["id"], appId=application["id"], status="accepted")
        assert (await call(server, "list_applications", id=bounty["id"]))[0]["status"] == "accepted"
        assert len((await call(server, "get_conversation", id=talk["id"]))["messages"]) == 1
        failed = await server.call_tool("get_human", {"id": 999999999})
        assert dump(failed)["isError"] and failed.content[0].text.startswith("404 absent: "), failed


with open(sys.argv[1], encoding="utf-8") as file:
    asyncio.run(main(json.load(file)))
