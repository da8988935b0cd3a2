"""The broker's data: one file for each part of the business."""
