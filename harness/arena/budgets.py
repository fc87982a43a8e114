"""What a bot may use. Every number can be set in an event's config, under `budgets`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

FRAME_SECONDS = 0.0005
"""CPU that every frame may take on top: one bot that asks for a single lane makes the frames small
for its opponent as well, and a vectorised bot pays as much for a small frame as for a large one."""


class Budgets(BaseModel):
    """Time is CPU time of the bot's process, measured by the arena; wall limits are a backstop."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    start_seconds: float = Field(5.0, gt=0, le=600, description="CPU from fork to ready to play")
    start_wall_seconds: float = Field(20.0, gt=0, le=3600, description="the same by the clock")
    decision_seconds: float = Field(0.25, gt=0, le=600, description="CPU of one decision")
    decision_wall_seconds: float = Field(1.0, gt=0, le=3600, description="the same by the clock")
    average_milliseconds: float = Field(
        0.1, gt=0, le=10_000, description="average CPU per decision, judged per block"
    )
    slack_seconds: float = Field(
        1.0, ge=0, le=3600, description="CPU per block on top of the average, for warming up"
    )
    wall_factor: float = Field(
        3.0, ge=1, le=1000, description="by the clock a bot may take this many times its CPU budget"
    )
    memory_mb: int = Field(512, ge=64, le=65_536, description="memory beyond the bare process")
    scratch_mb: int = Field(8, ge=1, le=1024, description="size of the scratch folder")
    scratch_files: int = Field(256, ge=8, le=65_536, description="files in the scratch folder")
    output_kb: int = Field(1024, ge=1, le=65_536, description="what is kept of the bot's prints")
    max_faults: int = Field(
        100, ge=0, description="faults that count in one match; one more retires the bot"
    )

    def allowed(self, decisions: int, frames: int) -> float:
        """CPU seconds a block may take a bot for this many decisions in this many frames."""
        average = decisions * self.average_milliseconds / 1000
        return average + frames * FRAME_SECONDS + self.slack_seconds

    def frame_limit(self, records: int, batch: bool) -> float:
        """CPU seconds until a reply must come: a batch answers all its records at once."""
        if not batch:
            return self.decision_seconds
        return self.decision_seconds + records * self.average_milliseconds / 1000
